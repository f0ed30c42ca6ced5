import { expect, it } from 'vitest'

import type { ClaimedRun } from '../../src/execution/run.ts'
import { byRound, isOncePerRound } from '../../src/scheduler/round-stay.ts'

const run = (item: number, fireTime: number, round?: number): ClaimedRun =>
  ({ item, reference: { fireTime, round } }) as unknown as ClaimedRun

const itemsOf = (rounds: readonly ClaimedRun[][]): number[][] =>
  rounds.map((runs) => runs.map(({ item }) => item))

it('runs that begin together are of one round if their time or their trigger is the same', () => {
  expect(itemsOf(byRound([run(0, 60_000), run(1, 60_000)]))).toEqual([[0, 1]])
  // One item has a time to make up for, and another one was triggered.
  const mixed = [run(0, 60_000), run(1, 120_000), run(2, 60_000), run(3, 60_000, 7)]
  expect(itemsOf(byRound(mixed))).toEqual([[0, 2], [1], [3]])
})

it('only listeners that want to know of whole rounds make anybody wait', () => {
  expect(isOncePerRound({ type: 'a', beforeJobExecuted: () => {} })).toBe(false)
  expect(isOncePerRound({ type: 'a', beforeLastStarted: () => {} })).toBe(true)
  expect(isOncePerRound({ type: 'a', afterLastCompleted: () => {} })).toBe(true)
})
