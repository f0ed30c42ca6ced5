import { describe, expect, it } from 'vitest'

import { jobDefaults } from '../../src/config/job-configuration.ts'
import { isLegacyFields, readLegacyFields } from '../../src/config/legacy-fields.ts'
import type { StoredJob } from '../../src/config/stored-job.ts'
import { isElasticJobError } from '../../src/errors.ts'
import { englishOf } from '../../src/message.ts'

/** What 1.1.1 writes for a simple job. */
const simple = {
  jobType: 'SIMPLE',
  jobClass: 'com.example.OldJob',
  shardingTotalCount: '3',
  shardingItemParameters: '0=a,1=b',
  jobParameter: 'p',
  cron: '0/5 * * * * ?',
  monitorExecution: 'true',
  maxTimeDiffSeconds: '-1',
  failover: 'true',
  misfire: 'false',
  jobShardingStrategyClass: '',
  description: 'd',
  monitorPort: '-1',
}

const dataflow = {
  ...simple,
  jobType: 'DATA_FLOW',
  processCountIntervalSeconds: '300',
  concurrentDataProcessThreadCount: '8',
  fetchDataCount: '100',
  streamingProcess: 'true',
}

function read(fields: Readonly<Record<string, string>>): StoredJob {
  return readLegacyFields('old', fields, '/shop/old/config')
}

describe('isLegacyFields', () => {
  it('knows the nodes of 1.x', () => {
    expect(isLegacyFields(Object.keys(simple))).toBe(true)
    expect(isLegacyFields([])).toBe(false)
    expect(isLegacyFields(['something', 'else'])).toBe(false)
  })
})

describe('readLegacyFields', () => {
  it('reads a simple job', () => {
    expect(read(simple)).toEqual({
      configuration: {
        ...jobDefaults,
        jobName: 'old',
        cron: '0/5 * * * * ?',
        shardingTotalCount: 3,
        shardingItemParameters: '0=a,1=b',
        jobParameter: 'p',
        failover: true,
        misfire: false,
        description: 'd',
      },
      jobClass: 'com.example.OldJob',
      jobType: 'SIMPLE',
      warnings: [],
    })
  })

  it('reads a dataflow, whose settings are props today', () => {
    const { configuration, jobType, warnings } = read(dataflow)
    expect(jobType).toBe('DATAFLOW')
    expect(configuration.props).toEqual({
      'process.count.interval.seconds': '300',
      'concurrent.data.process.thread.count': '8',
      'fetch.data.count': '100',
      'streaming.process': 'true',
    })
    expect(warnings.map(englishOf)).toEqual([expect.stringContaining('THROUGHPUT or SEQUENCE')])
  })

  it('reads a script, and the port of a job', () => {
    const { configuration, jobType } = read({
      ...simple,
      jobType: 'SCRIPT',
      scriptCommandLine: 'run.sh -v',
      monitorPort: '9888',
    })
    expect(jobType).toBe('SCRIPT')
    expect(configuration.props).toEqual({
      'script.command.line': 'run.sh -v',
      'monitor.port': '9888',
    })
  })

  it('knows the types of versions that did not say them', () => {
    const { jobType: _, ...older } = simple
    expect(read(older).jobType).toBeUndefined()
    expect(read({ ...older, scriptCommandLine: 'run.sh' }).jobType).toBe('SCRIPT')
    const flow = read({ ...older, fetchDataCount: '1' })
    expect(flow.jobType).toBe('DATAFLOW')
    expect(flow.warnings.map(englishOf)).toEqual([
      expect.stringContaining('THROUGHPUT or SEQUENCE'),
      expect.stringContaining('streaming'),
    ])
  })

  it('knows other spellings', () => {
    const { configuration } = read({
      ...simple,
      'streaming-process': 'true',
      concurrentDateProcessThreadCount: '4',
    })
    expect(configuration.props).toEqual({
      'streaming.process': 'true',
      'concurrent.data.process.thread.count': '4',
    })
  })

  it("knows 1.x's strategies by their classes", () => {
    const folder = 'com.dangdang.ddframe.job.plugin.sharding.strategy'
    const strategyOf = (name: string): string | undefined =>
      read({ ...simple, jobShardingStrategyClass: name }).configuration.jobShardingStrategyType
    expect(strategyOf(`${folder}.AverageAllocationJobShardingStrategy`)).toBe('AVG_ALLOCATION')
    expect(strategyOf(`${folder}.OdevitySortByNameJobShardingStrategy`)).toBe('ODEVITY')
    expect(strategyOf(`${folder}.RotateServerByNameJobShardingStrategy`)).toBe('ROUND_ROBIN')
    expect(strategyOf('com.example.Mine')).toBe('com.example.Mine')
  })

  it('says what has no counterpart', () => {
    expect(read({ ...simple, colour: 'red' }).warnings.map(englishOf)).toEqual([
      'colour is no setting of 1.x and has no counterpart',
    ])
  })

  it.each([
    [{ shardingTotalCount: '0' }, 'shardingTotalCount is missing or not above 0'],
    [{ shardingTotalCount: 'x' }, 'shardingTotalCount must be a whole number, not "x"'],
    [{ failover: 'maybe' }, 'failover must be true or false, not "maybe"'],
  ])('refuses %j', (changes, message) => {
    const reading = (): unknown => read({ ...simple, ...changes })
    expect(reading).toThrow(
      expect.toSatisfy((error) => isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')),
    )
    expect(reading).toThrow(
      `the configuration of Elastic-Job 1.x below /shop/old/config cannot be read: ${message}`,
    )
  })
})
