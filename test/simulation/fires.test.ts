import { describe, expect, test } from 'vitest'

import { forgottenFires } from './fires.ts'
import { history, job, run, seen, type Seen, word } from './hand-made.ts'
import type { History } from './history.ts'

const minute = 60_000
const config = '/sim/job/config'
const jobWord = '/sim.state/jobs/job'
/** Fires at every full minute, from the second one on, until the last that counts. */
const begin: Seen = [
  70_000,
  { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 1', '/sim/job/sharding/0': '' },
]
const fires = [2, 3, 4, 5, 6, 7, 8, 9].map((count) => count * minute)

function runsAt(...times: readonly number[]): History['runs'] {
  return times.map((fireTime) => run({ fireTime, runId: `r${fireTime}` }))
}

/** The minutes of which nobody knows anything. */
function forgotten(changes: Partial<History>, ...happened: readonly Seen[]): number[] {
  const all = history({ end: 10 * minute, words: [], ...seen(begin, ...happened), ...changes })
  const [violation] = forgottenFires(all)
  const found = violation?.text.match(/at ([\d, ]+),/)?.[1]?.split(', ') ?? []
  return found.map((time) => Number(time) / minute)
}

describe('every scheduled time', () => {
  test('was run', () => {
    expect(forgotten({ runs: runsAt(...fires) })).toEqual([])
    expect(forgotten({ runs: runsAt(...fires.slice(2)) })).toEqual([2, 3])
  })

  test('or was told to be missed, alone or in a row', () => {
    const text = JSON.stringify({
      jobName: 'job',
      shardingItem: 0,
      first: fires[0],
      fireTime: fires[1],
    })
    const told = [{ at: 0, process: 'p0', name: 'fire:missed', text }]
    expect(forgotten({ runs: runsAt(...fires.slice(2)), told })).toEqual([])
    expect(forgotten({ runs: runsAt(...fires.slice(3)), told })).toEqual([4])
  })

  test('or was given up, as the word says', () => {
    const words = [word(1, 0, { state: 'abandoned', fireTime: fires[0] ?? 0 })]
    expect(forgotten({ runs: runsAt(...fires.slice(1)), words })).toEqual([])
  })

  test('or came while the item ran', () => {
    const words = [word(1, 0, { state: 'idle', begin: 2.5 * minute, end: 3.5 * minute })]
    expect(
      forgotten({ runs: runsAt(...fires.filter((time) => time !== 3 * minute)), words }),
    ).toEqual([])
  })

  test('or who would have told it died before', () => {
    const claimed = word(2, 0, { run: 'never begun', fireTime: 5 * minute })
    const words = [word(1, 0, { run: 'r1', fireTime: 3 * minute }), claimed]
    const runs = runsAt(2 * minute, 3 * minute, ...fires.slice(3))
    expect(forgotten({ runs, words })).toEqual([])
    const released = word(3, 0, { ...claimed.word, state: 'idle', outcome: 'not-started' })
    expect(forgotten({ runs, words: [...words, released] })).toEqual([4])
  })

  test('of an item that was there, enabled and not paused', () => {
    const none = runsAt(...fires.slice(3))
    const off: Seen = [1.9 * minute, { '/sim/job/sharding/0/disabled': '' }]
    const on: Seen = [4.5 * minute, { '/sim/job/sharding/0/disabled': undefined }]
    expect(forgotten({ runs: none }, off, on)).toEqual([])
    const pause: Seen = [1.9 * minute, { [jobWord]: '{"paused":true}' }]
    expect(forgotten({ runs: none }, pause, [4.5 * minute, { [jobWord]: '{}' }])).toEqual([])
    const fewer: Seen = [1.9 * minute, { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 0' }]
    const more: Seen = [4.5 * minute, { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 1' }]
    expect(forgotten({ runs: none }, fewer, more)).toEqual([])
  })

  test('by the schedule that there was', () => {
    const slower: Seen = [
      4.5 * minute,
      { [config]: 'cron: 0/120 * * * * ?\nshardingTotalCount: 1' },
    ]
    const runs = runsAt(...fires.filter((time) => time <= 3 * minute || time % (2 * minute) === 0))
    expect(forgotten({ runs }, slower)).toEqual([])
    expect(forgotten({ runs: runsAt(...fires.slice(0, 4)) }, slower)).toEqual([6, 8])
  })

  test('not where Java runs, nor where nothing is written down', () => {
    expect(forgotten({ expected: [{ ...job, isMixed: true }] })).toEqual([])
    expect(forgotten({ expected: [{ ...job, monitorExecution: false }] })).toEqual([])
  })
})
