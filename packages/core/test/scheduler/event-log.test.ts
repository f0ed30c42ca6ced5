import { describe, expect, it } from 'vitest'

import { logLineOf, rangesOf } from '../../src/scheduler/event-log.ts'
import { x } from '../tree.ts'

const jobName = 'sync'

describe('logLineOf', () => {
  it('has a line for what an operator wants to know', () => {
    expect(
      logLineOf('job:scheduled', { jobName, cron: '0 * * * * ?', shardingTotalCount: 1 }),
    ).toEqual(['info', "Job 'sync' is scheduled: 0 * * * * ?, 1 shard"])
    expect(logLineOf('job:scheduled', { jobName, cron: undefined, shardingTotalCount: 3 })).toEqual(
      ['info', "Job 'sync' is scheduled: runs when it is triggered, 3 shards"],
    )
    expect(logLineOf('shards:owned', { jobName, shards: [0, 1, 2, 7] })).toEqual([
      'info',
      "Job 'sync' runs shards 0-2, 7 here",
    ])
    expect(logLineOf('shards:owned', { jobName, shards: [] })?.[1]).toBe(
      "Job 'sync' runs no shards here",
    )
  })

  it('says what went wrong, and where', () => {
    const error = new Error('no such strategy')
    const failed = logLineOf('sharding:failed', { jobName, error, attempts: 1 })
    expect(failed?.[0]).toBe('error')
    expect(failed?.[1]).toContain('no such strategy')
    const unhandled = logLineOf('error:unhandled', { jobName: undefined, error: 'text' })
    expect(unhandled).toEqual(['error', 'The scheduler has a problem: text'])
    expect(logLineOf('error:unhandled', { jobName, error })?.[1]).toContain("Job 'sync'")
  })

  it('says which time in the future was found', () => {
    const line = logLineOf('fire:corrected', {
      jobName,
      shardingItem: 4,
      stored: Date.UTC(2030, 0, 1),
    })
    expect(line?.[0]).toBe('warn')
    expect(line?.[1]).toContain('shard 4')
    expect(line?.[1]).toContain('2030-01-01T00:00:00.000Z')
  })

  it('says what a manual run lacks, and that its listeners are not told', () => {
    const manualRun = { jobName, phase: 'started', fireTime: Date.UTC(2030, 0, 1) } as const
    const late = { ...manualRun, manualRun: undefined, timeout: 1, missing: [3] }
    expect(logLineOf('barrier:timed-out', late)?.[1]).toContain('2030-01-01T00:00:00.000Z')
    expect(logLineOf('barrier:timed-out', late)?.[1]).toContain('lacks shard 3')
    const calling = { ...late, missing: [] }
    expect(logLineOf('barrier:timed-out', calling)?.[1]).toContain('listeners have not ended')
    const broken = { ...manualRun, manualRun: 4, reason: 'who called is gone' }
    expect(logLineOf('barrier:broken', broken)).toEqual([
      'warn',
      expect.stringContaining('who called is gone'),
    ])
  })

  it('is silent about a lease that nothing depended on', () => {
    expect(logLineOf('lease:ended', { instance: x, running: 0 })).toBeUndefined()
    expect(logLineOf('lease:ended', { instance: x, running: 2 })?.[1]).toContain('2 runs')
  })

  it('is silent about what only programs care for', () => {
    const changed = { jobName, reason: 'instances changed', moved: 1, waiting: 0, instances: 1 }
    expect(logLineOf('sharding:changed', changed)).toBeUndefined()
    expect(logLineOf('trigger:requested', { jobName, manualRun: 1 })).toBeUndefined()
    expect(logLineOf('job:registered', { jobName, instance: x })).toBeUndefined()
    expect(logLineOf('claim:refused', { jobName, shardingItem: 0, reason: '' })).toBeUndefined()
  })
})

describe('rangesOf', () => {
  it('fits a thousand shards into a line', () => {
    expect(rangesOf(Array.from({ length: 1000 }, (_, shard) => shard))).toBe('0-999')
    expect(rangesOf([0, 1, 2, 3, 7, 9, 10])).toBe('0-3, 7, 9-10')
    expect(rangesOf([5])).toBe('5')
    expect(rangesOf([])).toBe('')
  })
})
