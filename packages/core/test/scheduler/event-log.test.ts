import { describe, expect, it } from 'vitest'

import { logLineOf, rangesOf } from '../../src/scheduler/event-log.ts'
import { x } from '../tree.ts'

const jobName = 'sync'

describe('logLineOf', () => {
  it('has a line for what an operator wants to know', () => {
    expect(
      logLineOf('job:scheduled', { jobName, cron: '0 * * * * ?', shardingTotalCount: 1 }),
    ).toEqual(['info', "Job 'sync' is scheduled: 0 * * * * ?, 1 item"])
    expect(logLineOf('job:scheduled', { jobName, cron: undefined, shardingTotalCount: 3 })).toEqual(
      ['info', "Job 'sync' is scheduled: runs when it is triggered, 3 items"],
    )
    expect(logLineOf('items:owned', { jobName, items: [0, 1, 2, 7] })).toEqual([
      'info',
      "Job 'sync' runs items 0-2, 7 here",
    ])
    expect(logLineOf('items:owned', { jobName, items: [] })?.[1]).toBe(
      "Job 'sync' runs no items here",
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

  it('F12: says which time in the future was found', () => {
    const line = logLineOf('fire:corrected', {
      jobName,
      shardingItem: 4,
      stored: Date.UTC(2030, 0, 1),
    })
    expect(line?.[0]).toBe('warn')
    expect(line?.[1]).toContain('item 4')
    expect(line?.[1]).toContain('2030-01-01T00:00:00.000Z')
  })

  it('says what a round lacks, and that its listeners are not told', () => {
    const round = { jobName, phase: 'started', fireTime: Date.UTC(2030, 0, 1) } as const
    const late = { ...round, round: undefined, timeout: 1, missing: [3] }
    expect(logLineOf('guarantee:timed-out', late)?.[1]).toContain('2030-01-01T00:00:00.000Z')
    expect(logLineOf('guarantee:timed-out', late)?.[1]).toContain('lacks item 3')
    const calling = { ...late, missing: [] }
    expect(logLineOf('guarantee:timed-out', calling)?.[1]).toContain('listeners have not ended')
    const broken = { ...round, round: 4, reason: 'who called is gone' }
    expect(logLineOf('guarantee:broken', broken)).toEqual([
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
    expect(logLineOf('round:asked', { jobName, round: 1 })).toBeUndefined()
    expect(logLineOf('job:registered', { jobName, instance: x })).toBeUndefined()
    expect(logLineOf('claim:refused', { jobName, shardingItem: 0, reason: '' })).toBeUndefined()
  })
})

describe('rangesOf', () => {
  it('fits a thousand items into a line', () => {
    expect(rangesOf(Array.from({ length: 1000 }, (_, item) => item))).toBe('0-999')
    expect(rangesOf([0, 1, 2, 3, 7, 9, 10])).toBe('0-3, 7, 9-10')
    expect(rangesOf([5])).toBe('5')
    expect(rangesOf([])).toBe('')
  })
})
