import { describe, expect, it } from 'vitest'

import { jobDefaults, jobKeys } from '../../src/config/job-configuration.ts'
import { readJob } from '../../src/config/read-job.ts'
import { resolveJob } from '../../src/config/resolve-job.ts'
import { ConfigurationError } from '../../src/errors.ts'
import { goldenText } from '../support/golden.ts'

describe('resolveJob', () => {
  it("fills in what Java's builder fills in", () => {
    const options = { jobName: 'minimal', shardingTotalCount: 1, cron: '*/5 * * * * ?' }
    expect(resolveJob(options)).toEqual(
      readJob(goldenText('config/minimal.yaml.txt'), 'minimal').configuration,
    )
  })

  it('takes every key', () => {
    const golden = readJob(goldenText('config/full.yaml.txt'), 'full').configuration
    expect(Object.keys(golden).toSorted()).toEqual(Object.keys(jobKeys))
    expect(resolveJob(golden)).toEqual(golden)
  })

  it('takes zones by place and as Java writes them', () => {
    for (const timeZone of ['Europe/Berlin', 'GMT+08:00']) {
      expect(resolveJob({ jobName: 'j', shardingTotalCount: 1, timeZone })).toMatchObject({
        timeZone,
      })
    }
  })

  it('names the job and every problem in its error', () => {
    const resolve = (): unknown =>
      resolveJob({ jobName: 'orders', shardingTotalCount: 0, cron: '?' })
    expect(resolve).toThrow(ConfigurationError)
    expect(resolve).toThrow(
      /^the job "orders" is not valid:\n {2}shardingTotalCount: .*\n {2}cron: /,
    )
  })
})

describe('jobDefaults', () => {
  it('cannot be changed, and has a value for every key but the two that a job must have', () => {
    expect(Object.isFrozen(jobDefaults)).toBe(true)
    const keys = [...Object.keys(jobDefaults), 'jobName', 'shardingTotalCount']
    expect(keys.toSorted()).toEqual(Object.keys(jobKeys))
  })
})

describe('jobKeys', () => {
  it("has the 22 keys of ElasticJob 3.0.5, in the alphabet's order", () => {
    const keys = Object.keys(jobKeys)
    expect(keys).toHaveLength(22)
    expect(keys).toEqual(keys.toSorted())
  })
})
