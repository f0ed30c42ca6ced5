import { describe, expect, test } from 'vitest'

import { ended, history, run, shardState } from './hand-made.ts'
import type { History } from './history.ts'
import { violationsOf } from './invariants.ts'

const idle = { ...ended.shardState, fireTime: 50_000, end: 50_100, outcome: 'success' }
const again = run({ runId: 'r2', fireTime: 50_000, begin: 60_000, end: 61_000, token: 4n })
/** It ran at 50,000; at 52,000 the clock shows 42,000, and its state is corrected. */
const story = {
  runs: [run({ fireTime: 50_000, begin: 50_000, end: 50_100 }), again],
  states: [
    shardState(1, 49_999, { fireTime: 50_000 }),
    shardState(2, 50_101, idle),
    shardState(3, 52_005, { ...idle, fireTime: 42_005, end: 42_005 }),
    shardState(4, 59_999, { run: 'r2', fireTime: 50_000 }),
    shardState(5, 61_001, { ...idle, run: 'r2', end: 51_000 }),
  ],
  clockJumps: [{ at: 52_000, ahead: -10_000 }],
} satisfies Partial<History>

function broken(changes: Partial<History>): string[] {
  const expected = history().expected.map((job) => ({ ...job, fires: [] }))
  const found = violationsOf(history({ ...story, expected, ...changes }))
  return found.map(({ rule, text }) => `${rule}: ${text}`)
}

describe("after the registry's clock was set back", () => {
  test('a fire time that comes again may run again', () => {
    expect(broken({})).toEqual([])
  })

  test('a fire time that comes again must not run without a correction', () => {
    const states = story.states.filter(({ zxid }) => zxid !== 3)
    expect(broken({ states })).toContainEqual(expect.stringMatching(/^4: .*repeats/))
  })

  test('a fire time that does not come again must not run again', () => {
    const states = story.states.map((one) =>
      one.zxid === 3 ? shardState(3, 52_005, { ...idle, fireTime: 50_000 }) : one,
    )
    expect(broken({ states })).toContainEqual(expect.stringMatching(/^4: .*repeats/))
  })

  test('one that comes again runs once', () => {
    const third = { ...again, runId: 'r3', begin: 62_000, end: 62_100, token: 6n }
    const states = [...story.states, shardState(6, 61_999, { run: 'r3', fireTime: 50_000 })]
    const found = broken({ runs: [...story.runs, third], states })
    expect(found).toContainEqual(expect.stringMatching(/^2: .*the same attempt/))
    expect(found).toContainEqual(expect.stringMatching(/^4: .*repeats/))
  })

  test('a fire time before the correction must not be told to be missed', () => {
    const text = JSON.stringify({
      jobName: 'job',
      shardingItem: 0,
      first: 40_000,
      fireTime: 42_000,
    })
    const told = [{ at: 60_000, process: 'p0', name: 'fire:missed', text }]
    const runs = [run({ runId: 'r0', fireTime: 41_000, begin: 41_000 }), ...story.runs]
    expect(broken({ told, runs })).toContainEqual(expect.stringMatching(/^3: .*was told/))
  })

  test('a fire time that comes again may be told to be missed', () => {
    const text = JSON.stringify({
      jobName: 'job',
      shardingItem: 0,
      first: 50_000,
      fireTime: 50_000,
    })
    const told = [{ at: 70_000, process: 'p0', name: 'fire:missed', text }]
    const { states } = story
    const [first] = story.runs
    expect(broken({ told, runs: [first as never], states: states.slice(0, 3) })).toEqual([])
    expect(broken({ told })).toContainEqual(expect.stringMatching(/^3: .*was told/))
  })
})

test('a state that is corrected although no clock was set back is found', () => {
  expect(broken({ clockJumps: [] })).toContainEqual(expect.stringMatching(/^5: .*goes back/))
  const clockJumps = [{ at: 52_000, ahead: -2000 }]
  expect(broken({ clockJumps })).toContainEqual(expect.stringMatching(/^5: .*goes back/))
})
