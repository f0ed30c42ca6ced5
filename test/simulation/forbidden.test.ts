import { describe, expect, test } from 'vitest'

import { forbiddenRuns } from './forbidden.ts'
import { a, history, run, seen, type Seen, shardState } from './hand-made.ts'
import type { History } from './history.ts'

const state = '/sim.state/jobs/job'
const paused: Seen = [1000, { [state]: '{"paused":true}' }]
const resumed: Seen = [20_000, { [state]: '{}' }]

const losses = [{ at: 1500, time: 1500, kind: 'restored' as const }]

/** What is wrong with a run that is sent so long after its process has heard of the first transaction. */
function broken(
  happened: readonly Seen[],
  sentAfter: number,
  claimed = shardState(9, 30_000),
  changes: Partial<History> = {},
): string[] {
  const all = history({
    ...seen(...happened),
    runs: [run({ begin: 30_000, end: 31_000 })],
    states: [claimed],
    heard: new Map([['p0', [[2000, 1] as const]]]),
    sentAt: new Map([[9, 2000 + sentAfter]]),
    ...changes,
  })
  return forbiddenRuns(all).map(({ text }) => text.replace(/^.* begins although /, ''))
}

describe('what an operator has paused or disabled', () => {
  test('does not fire', () => {
    expect(broken([paused], 15_000)).toEqual(['its job is paused'])
    const onServer: Seen = [1000, { [state]: '{"pausedServers":["10.0.0.1"]}' }]
    expect(broken([onServer], 15_000)).toEqual(['its job is paused on 10.0.0.1'])
    const elsewhere: Seen = [1000, { [state]: '{"pausedServers":["10.0.0.2"]}' }]
    expect(broken([elsewhere], 15_000)).toEqual([])
    const server: Seen = [1000, { '/sim/job/servers/10.0.0.1': 'DISABLED' }]
    expect(broken([server], 15_000)).toEqual(['server 10.0.0.1 is disabled'])
    const shard: Seen = [1000, { '/sim/job/sharding/0/disabled': '' }]
    expect(broken([shard], 15_000)).toEqual(['its shard is disabled'])
  })

  test('takes nothing over', () => {
    const taken = shardState(9, 30_000, { attempt: 2, source: 'cron' })
    expect(broken([paused], 15_000, taken)).toEqual(['its job is paused'])
  })

  test('is not claimed by a process that has not heard of it, unless the registry lost data', () => {
    expect(broken([paused], -1500)).toEqual(['its job is paused'])
    expect(broken([paused], 5000, undefined, { losses })).toEqual([])
    expect(broken([paused], 15_000, undefined, { losses })).toEqual(['its job is paused'])
  })

  test('may be claimed after it was lifted', () => {
    expect(broken([paused, resumed], 15_000)).toEqual([])
  })

  test('is not claimed on a server that joined after the whole job was disabled', () => {
    const disabled: Seen = [1000, { [state]: '{"disabled":true}' }]
    expect(broken([disabled], 15_000)).toEqual(['its job is disabled'])
  })

  test('runs manually all the same if it is paused, and not if it is disabled', () => {
    const manual = shardState(9, 30_000, { source: 'trigger', round: 1 })
    expect(broken([paused], 15_000, manual)).toEqual([])
    const server: Seen = [1000, { '/sim/job/servers/10.0.0.1': 'DISABLED' }]
    expect(broken([server], 15_000, manual)).toEqual(['server 10.0.0.1 is disabled'])
  })

  test('of a registry that lost data is known only to a process that has heard of it', () => {
    const states = [shardState(9, 30_000, { instance: a })]
    const sentAt = new Map([[9, 29_000]])
    const all = history({ ...seen(paused), runs: [run()], states, sentAt, losses })
    expect(forbiddenRuns(all)).toEqual([])
  })
})
