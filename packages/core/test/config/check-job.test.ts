import { describe, expect, it } from 'vitest'

import { checkJob } from '../../src/config/check-job.ts'

const least = { jobName: 'j', shardingTotalCount: 1 }

function problemsOf(options: Record<string, unknown>): string[] {
  const { problems } = checkJob({ ...least, ...options })
  return problems.map(({ key, message }) => `${key}: ${message}`)
}

describe('checkJob', () => {
  it.each([
    [{ jobName: '' }, 'jobName: it is empty'],
    [{ jobName: 'a/b' }, 'jobName: it contains "/"'],
    [{ jobName: 5 }, 'jobName: it must be a text, not 5'],
    [{ jobName: undefined }, 'jobName: it is missing'],
    [{ shardingTotalCount: undefined }, 'shardingTotalCount: it is missing'],
    [
      { shardingTotalCount: 0 },
      'shardingTotalCount: it must be a whole number from 1 to 10000, not 0',
    ],
    [
      { shardingTotalCount: 2_000_000_000 },
      'shardingTotalCount: it must be a whole number from 1 to 10000, not 2000000000',
    ],
    [{ shardingTotalCount: 1.5 }, 'not 1.5'],
    [{ shardingTotalCount: '3' }, 'not "3"'],
    [{ shardingTotalCount: 2 ** 31 }, 'shardingTotalCount: it must be'],
    [{ cron: 'daily' }, 'cron: "daily": '],
    [{ cron: 5 }, 'cron: it must be a text, not 5'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone: nobody knows the zone "Mars/Olympus"'],
    [{ corn: '* * * * * ?' }, 'corn: there is no such option (did you mean "cron"?)'],
    [{ quite: 1, different: 2 }, 'quite: there is no such option'],
    [
      { jobExecutorServiceHandlerType: 'CPU' },
      'jobExecutorServiceHandlerType: it is called jobExecutorThreadPoolSizeProviderType now',
    ],
    [{ jobExecutorThreadPoolSizeProviderType: '0' }, 'it must be CPU, SINGLE_THREAD or a number'],
    [{ jobShardingStrategyType: '' }, 'jobShardingStrategyType: it is empty'],
    [{ jobErrorHandlerType: '' }, 'jobErrorHandlerType: it is empty'],
    [{ misfire: 'yes' }, 'misfire: it must be true or false, not "yes"'],
    [{ misfire: null }, 'misfire: it must be true or false, not null'],
    [{ maxTimeDiffSeconds: -2 }, 'maxTimeDiffSeconds: it must be a whole number of seconds, or -1'],
    [
      { reconcileIntervalMinutes: Number.NaN },
      'reconcileIntervalMinutes: it must be a whole number',
    ],
    [{ jobListenerTypes: 'a' }, 'jobListenerTypes: it must be a list of texts, not "a"'],
    [{ jobListenerTypes: [1] }, 'jobListenerTypes: it must be a list of texts, not a list'],
    [{ jobExtraConfigurations: {} }, 'it must be a list of texts, not an object'],
    [{ jobExtraConfigurations: ['!!a.B {'] }, 'jobExtraConfigurations: an element is not YAML: '],
    [{ jobExtraConfigurations: [''] }, 'jobExtraConfigurations: an element is empty'],
    [{ shardingItemParameters: '0=a,0=b' }, 'shardingItemParameters: shard 0 is named twice'],
    [{ shardingItemParameters: { 0: 'a=b' } }, 'shardingItemParameters: 0: the parameter "a=b"'],
    [{ shardingItemParameters: ['a'] }, 'shardingItemParameters: it must be a text such as'],
    [{ props: [] }, 'props: it must be an object, not a list'],
    [{ props: { a: { b: 1 } } }, 'props.a: it must be a text, a number or a flag, not an object'],
    [{ props: { a: '\ud800' } }, 'props.a: it contains half of a character'],
    [{ description: 'x\udc00' }, 'description: it contains half of a character'],
    [{ jobClass: 7 }, 'jobClass: it must be a text, not 7'],
    [{ failover: true, monitorExecution: false }, 'failover: it needs monitorExecution'],
  ])('refuses %j', (options, message) => {
    expect(problemsOf(options).join('\n')).toContain(message)
    // In parts as well, for those who read another language.
    const { problems } = checkJob({ ...least, ...options })
    expect(problems.map(({ messageParts }) => messageParts?.text)).toEqual(
      problems.map((each) => each.message),
    )
  })

  it('finds everything that is wrong, not only the first', () => {
    expect(
      problemsOf({ jobName: '.', shardingTotalCount: -1, cron: '', cronn: '', misfire: 1 }),
    ).toHaveLength(4)
  })

  it('makes texts of properties and of parameters, and leaves out what is undefined', () => {
    const { configuration, problems } = checkJob({
      ...least,
      cron: '',
      label: undefined,
      jobClass: 'com.example.Job',
      shardingItemParameters: { 1: 'b', 0: 'a' },
      props: { n: 5, f: true, t: 'x', u: undefined },
    })
    expect(problems).toEqual([])
    expect(configuration).toMatchObject({
      cron: undefined,
      shardingItemParameters: '0=a,1=b',
      props: { n: '5', f: 'true', t: 'x' },
    })
    expect(configuration).not.toHaveProperty('jobClass')
    expect(Object.isFrozen(configuration)).toBe(true)
  })
})
