/** What must hold of single runs: how often they are tried, when they start, what they run beside. */
import { describe, expect, test } from 'vitest'

import { tooManyAttempts } from './attempts.ts'
import { b, history, job, run, seen, shardState } from './hand-made.ts'
import { lateRuns } from './lateness.ts'
import { incompleteManualRuns } from './manual-runs.ts'
import { besideItself } from './orphans.ts'

describe('attempts', () => {
  const crashed = (attempt: number, outcome?: string): number =>
    tooManyAttempts(
      history({
        states: [shardState(1, 0, { state: 'crashed', attempt, ...(outcome && { outcome }) })],
      }),
    ).length

  test('a crash of the third attempt is not taken over', () => {
    expect(crashed(2)).toBe(0)
    expect(crashed(3)).toBe(1)
  })

  test('what was handed over may be begun as often as that happens', () => {
    expect(crashed(7, 'aborted')).toBe(0)
  })
})

describe('in calm times', () => {
  const late = (begin: number): number => {
    const expected = [{ ...job, fires: [10_000] }]
    return lateRuns(history({ expected, runs: [run({ fireTime: 10_000, begin })] })).length
  }

  test('a run starts within a second after its fire time, and not before', () => {
    expect(late(10_000)).toBe(0)
    expect(late(10_999)).toBe(0)
    expect(late(11_500)).toBe(1)
    expect(late(9900)).toBe(1)
  })
})

describe('in one process', () => {
  test('two runs of one shard at once are found, whatever their leases', () => {
    const first = run({ begin: 1000, end: 5000 })
    const second = run({ runId: 'r2', instance: b, begin: 4000, end: 6000 })
    expect(besideItself([first, second])).toHaveLength(1)
    expect(besideItself([first, { ...second, process: 'p1' }])).toEqual([])
    expect(besideItself([first, { ...second, shard: 1 }])).toEqual([])
    expect(besideItself([first, { ...second, begin: 5000 }])).toEqual([])
  })
})

describe('a manual run', () => {
  const state = '/sim.state/jobs/job'
  const happened = seen(
    [1000, { '/sim/job/config': 'cron: 0/60 * * * * ?\nshardingTotalCount: 2' }],
    [2000, { [state]: '{"running":{"id":1}}' }],
    [9000, { [state]: '{"previous":{"id":1}}' }],
  )
  const reached = (...shards: readonly number[]): string[] => {
    const states = shards.map((shard) => ({
      ...shardState(2, 3000, { source: 'trigger', round: 1 }),
      shard,
    }))
    return incompleteManualRuns(history({ ...happened, states })).map(({ text }) => text)
  }

  test('is complete when it has reached all shards', () => {
    expect(reached(0, 1)).toEqual([])
    expect(reached(0)).toEqual(['manual run 1 of job is complete, and never reached shard 1'])
  })
})
