import { describe, expect, it } from 'vitest'

import { checkJob } from '../../src/config/check-job.ts'
import { readElasticJobFile } from '../../src/config/elasticjob-file.ts'
import type { JobOptions } from '../../src/config/job-configuration.ts'
import { runLimitsOf } from '../../src/config/run-limits.ts'

const least = { jobName: 'j', shardingTotalCount: 1 }

const stored = (options: Partial<JobOptions>): Record<string, unknown> => {
  const { configuration, problems } = checkJob({ ...least, ...options })
  expect(problems).toEqual([])
  return { ...configuration.props }
}

const problemsOf = (options: Record<string, unknown>): string[] =>
  checkJob({ ...least, ...options }).problems.map(({ key, message }) => `${key}: ${message}`)

describe('run options', () => {
  it('are stored in props, so that Java reads the configuration', () => {
    const props = stored({
      timeout: '30s',
      retry: { times: 3, backoff: '500ms', maxBackoff: '2m' },
      catchUp: { policy: 'all', limit: 7 },
      failoverAttempts: 5,
      lateAfter: 1500,
      props: { 'http.url': 'http://localhost' },
    })
    expect(props).toEqual({
      'timeout.milliseconds': '30000',
      'retry.times': '3',
      'retry.backoff.milliseconds': '500',
      'retry.max.backoff.milliseconds': '120000',
      'catch.up': 'all',
      'catch.up.limit': '7',
      'failover.max.attempts': '5',
      'fire.grace.milliseconds': '1500',
      'http.url': 'http://localhost',
    })
    expect(runLimitsOf(props as Record<string, string>)).toMatchObject({
      timeout: 30_000,
      retries: 3,
      catchUp: { policy: 'all', limit: 7 },
    })
  })

  it('have short forms', () => {
    expect(stored({ retry: 2, catchUp: 'once' })).toEqual({
      'retry.times': '2',
      'catch.up': 'once',
    })
  })

  it.each([
    [250, 250],
    ['250ms', 250],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
  ] as const)('take a duration of %s', (timeout, milliseconds) => {
    expect(stored({ timeout })).toEqual({ 'timeout.milliseconds': String(milliseconds) })
  })

  it.each([
    [1, 'SINGLE_THREAD'],
    [4, '4'],
    ['CPU', 'CPU'],
  ] as const)(
    'store a concurrency of %s under the name that Java has for it',
    (concurrency, type) => {
      const { configuration } = checkJob({ ...least, concurrency })
      expect(configuration.jobExecutorThreadPoolSizeProviderType).toBe(type)
    },
  )

  it.each([
    [{ timeout: 'soon' }, 'timeout: it must be a number of milliseconds, or a text such as 500ms'],
    [{ timeout: {} }, 'timeout: it must be a number of milliseconds'],
    [{ timeout: -1 }, 'timeout: must be a whole number from 0 to 2147483647, not "-1"'],
    [{ timeout: '30s', props: { 'timeout.milliseconds': '1' } }, 'timeout: it is set twice'],
    [
      { retry: { times: 1, backof: 3 } },
      'retry.backof: there is no such option (did you mean "retry.backoff"?)',
    ],
    [{ retry: 1001 }, 'retry.times: must be a whole number from 0 to 1000, not "1001"'],
    [{ retry: 'often' }, 'retry.times: it must be a whole number, not "often"'],
    [{ catchUp: 'twice' }, 'catchUp.policy: must be one of skip, once, all, not "twice"'],
    [{ concurrency: 0 }, 'concurrency: it must be CPU or a number from 1 on, not 0'],
    [
      { concurrency: 2, jobExecutorThreadPoolSizeProviderType: 'CPU' },
      'concurrency: it is set twice, here and as jobExecutorThreadPoolSizeProviderType',
    ],
    [{ timeout: 1, props: 5 }, 'props: it must be an object, not 5'],
    [{ timout: 5 }, 'timout: there is no such option (did you mean "timeout"?)'],
  ])('refuse %j', (options, expected) => {
    expect(problemsOf(options).join('\n')).toContain(expected)
  })

  it('may stand in elasticjob.yaml', () => {
    const text = [
      'elasticjob:',
      '  regCenter: { serverLists: "127.0.0.1:2181", namespace: n }',
      '  jobs:',
      '    a: { shardingTotalCount: 1, timeout: 30s, retry: { times: 3, maxBackoff: 1m }, catchUp: once, module: a.js }',
    ].join('\n')
    const { jobs } = readElasticJobFile(text, { source: 'elasticjob.yaml', environment: {} })
    expect(jobs[0]?.configuration.props).toEqual({
      'timeout.milliseconds': '30000',
      'retry.times': '3',
      'retry.max.backoff.milliseconds': '60000',
      'catch.up': 'once',
    })
  })
})

describe('props', () => {
  it.each([
    ['retry.time', ' (did you mean "retry.times"?)'],
    ['timout.milliseconds', ' (did you mean "timeout.milliseconds"?)'],
    ['catchup', ' (did you mean "catch.up"?)'],
    ['failover.attempts', ' (did you mean "failover.max.attempts"?)'],
    ['monitor.prot', ' (did you mean "monitor.port"?)'],
  ])('%s is a misspelt setting of this library', (name, suggestion) => {
    expect(problemsOf({ props: { [name]: '1' } })).toEqual([
      `props.${name}: there is no such setting${suggestion}`,
    ])
  })

  it.each(['http.url', 'email.host', 'monitor.team', 'report.to', 'times'])(
    '%s belongs to somebody else',
    (name) => {
      expect(problemsOf({ props: { [name]: '1' } })).toEqual([])
    },
  )
})

it.each([
  ['monitorPort', 'props["monitor.port"]'],
  ['fetchDataCount', 'props["fetch.data.count"]'],
  ['streamingProcess', 'props["streaming.process"]'],
  ['scriptCommandLine', 'props["script.command.line"]'],
  ['jobShardingStrategyClass', 'jobShardingStrategyType'],
])('%s of 1.x and 2.x is answered with its present name', (former, present) => {
  expect(problemsOf({ [former]: 1 })).toEqual([`${former}: it is called ${present} now`])
})
