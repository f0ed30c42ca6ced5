import { describe, expect, it } from 'vitest'

import { isLegacyJson, readLegacyJob } from '../../src/config/legacy-json.ts'
import { readJob } from '../../src/config/read-job.ts'

const stored = {
  jobName: 'old',
  jobClass: 'com.example.OldJob',
  jobType: 'DATAFLOW',
  cron: '0/5 * * * * ?',
  shardingTotalCount: 3,
  shardingItemParameters: '0=a,1=b',
  jobParameter: 'p',
  failover: true,
  misfire: true,
  description: 'd',
  jobProperties: {
    job_exception_handler:
      'com.dangdang.ddframe.job.executor.handler.impl.DefaultJobExceptionHandler',
    executor_service_handler:
      'com.dangdang.ddframe.job.executor.handler.impl.DefaultExecutorServiceHandler',
  },
  streamingProcess: true,
  monitorExecution: true,
  maxTimeDiffSeconds: -1,
  monitorPort: -1,
  jobShardingStrategyClass: '',
  reconcileIntervalMinutes: 10,
  disabled: false,
  overwrite: false,
}

function read(changes: Record<string, unknown>): ReturnType<typeof readLegacyJob> {
  return readLegacyJob(JSON.stringify({ ...stored, ...changes }))
}

describe('isLegacyJson', () => {
  it.each([
    [JSON.stringify(stored), true],
    ['{"jobName":"j","shardingTotalCount":1}', false],
    ['{jobName: j, jobType: SIMPLE}', false],
    ['jobName: j', false],
    ['', false],
  ])('%j: %s', (text, is) => {
    expect(isLegacyJson(text)).toBe(is)
  })
})

describe('readLegacyJob', () => {
  it('reads what 2.x stores', () => {
    const job = readJob(JSON.stringify(stored), 'x')
    expect(job).toMatchObject({ jobClass: 'com.example.OldJob', jobType: 'DATAFLOW', warnings: [] })
    expect(job.configuration).toMatchObject({
      jobName: 'old',
      cron: '0/5 * * * * ?',
      shardingTotalCount: 3,
      failover: true,
      props: { 'streaming.process': 'true' },
      jobShardingStrategyType: undefined,
      jobErrorHandlerType: undefined,
    })
  })

  it("knows 2.x's strategies by their classes, and keeps the names of others", () => {
    const strategyOf = (name: string): string | undefined =>
      read({ jobShardingStrategyClass: name }).configuration.jobShardingStrategyType
    const folder = 'com.dangdang.ddframe.job.lite.api.strategy.impl'
    expect(strategyOf(`${folder}.AverageAllocationJobShardingStrategy`)).toBe('AVG_ALLOCATION')
    expect(strategyOf(`${folder}.OdevitySortByNameJobShardingStrategy`)).toBe('ODEVITY')
    expect(strategyOf(`${folder}.RotateServerByNameJobShardingStrategy`)).toBe('ROUND_ROBIN')
    expect(strategyOf('com.example.Mine')).toBe('com.example.Mine')
  })

  it('reads the command of a script, and handlers of its own', () => {
    const { configuration, jobType, warnings } = read({
      jobType: 'SCRIPT',
      streamingProcess: undefined,
      scriptCommandLine: 'run.sh -v',
      monitorPort: 9888,
      jobProperties: {
        job_exception_handler: 'com.example.Mine',
        executor_service_handler: 'com.example.Pool',
      },
    })
    expect(jobType).toBe('SCRIPT')
    expect(configuration.props).toEqual({
      'script.command.line': 'run.sh -v',
      'monitor.port': '9888',
    })
    expect(configuration.jobErrorHandlerType).toBe('com.example.Mine')
    expect(warnings).toEqual([
      expect.objectContaining({
        text: expect.stringContaining('executor_service_handler Pool') as string,
      }),
    ])
  })

  it("has 2.x's defaults, and takes numbers and flags in quotes", () => {
    const text = '{"jobName":"j","jobType":"SIMPLE","shardingTotalCount":"2","disabled":"true"}'
    expect(readLegacyJob(text).configuration).toMatchObject({
      shardingTotalCount: 2,
      disabled: true,
      monitorExecution: true,
      misfire: false,
      reconcileIntervalMinutes: 10,
      cron: undefined,
    })
  })

  it.each([
    [{ jobName: '' }, 'jobName is missing'],
    [{ shardingTotalCount: 0 }, 'shardingTotalCount is missing or not above 0'],
    [{ shardingTotalCount: 'x' }, 'shardingTotalCount must be a whole number, not "x"'],
    [{ failover: 'maybe' }, 'failover must be true or false, not "maybe"'],
    [{ cron: {} }, 'cron must be a text'],
    [{ jobProperties: 'x' }, 'jobProperties must be an object'],
  ])('refuses %j', (changes, message) => {
    const text = JSON.stringify({ ...stored, ...changes })
    expect(() => readJob(text, '/old/config')).toThrow(
      `the configuration in /old/config cannot be read: ${message}`,
    )
  })
})
