import { describe, expect, test } from 'vitest'

import { forgottenFires } from './fires.ts'
import { a, history, job, run, seen, type Seen, shardState } from './hand-made.ts'
import type { History } from './history.ts'

const minute = 60_000
const config = '/sim/job/config'
const jobState = '/sim.state/jobs/job'
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
  const all = history({ end: 10 * minute, states: [], ...seen(begin, ...happened), ...changes })
  const found = forgottenFires(all).flatMap(
    ({ text }) => text.match(/at ([\d, ]+),/)?.[1]?.split(', ') ?? [],
  )
  return found.map((time) => Number(time) / minute).toSorted((one, other) => one - other)
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

  test('or was given up, as the state says', () => {
    const states = [shardState(1, 0, { state: 'abandoned', fireTime: fires[0] ?? 0 })]
    expect(forgotten({ runs: runsAt(...fires.slice(1)), states })).toEqual([])
  })

  test('or came while the shard ran, and is part of the misfire run that follows', () => {
    const runs = runsAt(...fires.filter((time) => time !== 3 * minute && time !== 4 * minute))
    const ran = shardState(1, 0, { begin: 2.5 * minute })
    const over = shardState(2, 0, { state: 'idle', begin: 2.5 * minute, end: 4.5 * minute })
    const merged = shardState(3, 0, { run: 'r2', source: 'misfire', fireTime: 4 * minute })
    expect(forgotten({ runs, states: [ran, over, merged] })).toEqual([])
    const later = shardState(3, 0, { run: 'r2', source: 'cron', fireTime: 5 * minute })
    expect(forgotten({ runs, states: [ran, over, later] })).toEqual([3, 4])
  })

  test('or came while the shard ran, and misfire is off', () => {
    const off: Seen = [
      75_000,
      { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 1\nmisfire: false' },
    ]
    const states = [shardState(1, 0, { state: 'idle', begin: 2.5 * minute, end: 3.5 * minute })]
    const runs = runsAt(...fires.filter((time) => time !== 3 * minute))
    expect(forgotten({ runs, states }, off)).toEqual([])
    expect(forgotten({ runs, states })).toEqual([3])
  })

  test('also shortly before an operator changes something', () => {
    const runs = runsAt(...fires.filter((time) => time !== 3 * minute))
    const changed: Seen = [
      3.1 * minute,
      { [config]: 'cron: 0/30 * * * * ?\nshardingTotalCount: 1' },
    ]
    const late: Seen = [9.9 * minute, { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 1' }]
    expect(forgotten({ runs }, changed, late)).toContain(3)
    expect(forgotten({ runs }, [3.1 * minute, { [jobState]: '{"paused":true}' }])).toEqual([3])
    const off: Seen = [3.1 * minute, { '/sim/job/sharding/0/disabled': '' }]
    expect(forgotten({ runs }, off)).toEqual([3])
  })

  test('not of a server that was paused then, and of all others', () => {
    const runs = runsAt(...fires.filter((time) => time !== 3 * minute))
    const owner: Seen = [80_000, { '/sim/job/sharding/0/instance': a }]
    const pause = (ip: string): Seen => [
      2.5 * minute,
      { [jobState]: `{"pausedServers":["${ip}"]}` },
    ]
    const resume: Seen = [3.5 * minute, { [jobState]: '{}' }]
    expect(forgotten({ runs }, owner, pause('10.0.0.1'), resume)).toEqual([])
    expect(forgotten({ runs }, owner, pause('10.0.0.2'), resume)).toEqual([3])
  })

  test('or who would have told it died before', () => {
    const claimed = shardState(2, 0, { run: 'never begun', fireTime: 5 * minute })
    const closed = new Map([[1n, [{ era: 0, order: 9, at: 6 * minute }]]])
    const states = [shardState(1, 0, { run: 'r1', fireTime: 3 * minute }), claimed]
    const runs = runsAt(2 * minute, 3 * minute, ...fires.slice(3))
    expect(forgotten({ runs, states, closed })).toEqual([])
    expect(forgotten({ runs, states })).toEqual([4])
  })

  test('of a shard that was there, enabled and not paused', () => {
    const none = runsAt(...fires.slice(3))
    const off: Seen = [1.9 * minute, { '/sim/job/sharding/0/disabled': '' }]
    const on: Seen = [4.5 * minute, { '/sim/job/sharding/0/disabled': undefined }]
    expect(forgotten({ runs: none }, off, on)).toEqual([])
    const pause: Seen = [1.9 * minute, { [jobState]: '{"paused":true}' }]
    expect(forgotten({ runs: none }, pause, [4.5 * minute, { [jobState]: '{}' }])).toEqual([])
    const fewer: Seen = [1.9 * minute, { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 0' }]
    const more: Seen = [4.5 * minute, { [config]: 'cron: 0/60 * * * * ?\nshardingTotalCount: 1' }]
    expect(forgotten({ runs: none }, fewer, more)).toEqual([])
  })

  test('not while all servers are disabled', () => {
    const runs = runsAt(...fires.filter((time) => time !== 3 * minute))
    const servers = (one: string, other: string): Record<string, string> => ({
      '/sim/job/servers/10.0.0.1': one,
      '/sim/job/servers/10.0.0.2': other,
    })
    const on: Seen = [3.5 * minute, servers('ENABLED', 'ENABLED')]
    const all: Seen = [2.5 * minute, servers('DISABLED', 'DISABLED')]
    expect(forgotten({ runs }, all, on)).toEqual([])
    const some: Seen = [2.5 * minute, servers('DISABLED', 'ENABLED')]
    expect(forgotten({ runs }, some, on)).toEqual([3])
  })

  test('not what was open when the registry lost its data', () => {
    const claimed = shardState(1, 0, { run: 'r1', fireTime: 3 * minute, begin: 3 * minute })
    const states = [{ ...claimed, at: 3 * minute }]
    const runs = runsAt(...fires.filter((time) => time !== 4 * minute && time !== 6 * minute))
    const losses = [{ at: 6.5 * minute, time: 6.5 * minute, kind: 'wiped' as const }]
    expect(forgotten({ runs, states, losses })).toEqual([])
    const next = shardState(2, 0, { run: 'r2', fireTime: 5 * minute, begin: 5 * minute })
    const later = [...states, { ...next, at: 5 * minute }]
    expect(forgotten({ runs, states: later, losses })).toEqual([4])
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

  test('not of a schedule that was replaced before the state of the job told of it', () => {
    const runs = runsAt(...fires.filter((time) => time !== 3 * minute && time !== 4 * minute))
    const cron = (seconds: number): string => `cron: 0/${seconds} * * * * ?\nshardingTotalCount: 1`
    const other: Seen = [2.5 * minute, { [config]: cron(30) }]
    const back: Seen = [4.5 * minute, { [config]: cron(60) }]
    expect(forgotten({ runs }, other, back)).toEqual([])
    const from = 2.5 * minute
    const timeline = [{ from, cron: '0/30 * * * * ?', total: 1 }]
    const noted: Seen = [3 * minute, { [jobState]: JSON.stringify({ timeline }) }]
    expect(forgotten({ runs }, other, noted, back)).toEqual([3, 3.5, 4])
  })

  test('not where Java runs, nor where nothing is written down', () => {
    expect(forgotten({ expected: [{ ...job, isMixed: true }] })).toEqual([])
    expect(forgotten({ expected: [{ ...job, monitorExecution: false }] })).toEqual([])
  })
})
