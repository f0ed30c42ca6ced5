import { expect, it } from 'vitest'

import type { ClaimedRun } from '../../src/execution/run.ts'
import { byBarrier, isOncePerRun } from '../../src/scheduler/barrier-runs.ts'

const run = (shard: number, fireTime: number, manualRun?: number): ClaimedRun =>
  ({ shard, reference: { fireTime, manualRun } }) as unknown as ClaimedRun

const shardsOf = (rounds: readonly ClaimedRun[][]): number[][] =>
  rounds.map((runs) => runs.map(({ shard }) => shard))

it('runs that begin together are of one run if their time or their trigger is the same', () => {
  expect(shardsOf(byBarrier([run(0, 60_000), run(1, 60_000)]))).toEqual([[0, 1]])
  // One shard has a time to make up for, and another one was triggered.
  const mixed = [run(0, 60_000), run(1, 120_000), run(2, 60_000), run(3, 60_000, 7)]
  expect(shardsOf(byBarrier(mixed))).toEqual([[0, 2], [1], [3]])
})

it('only listeners that want to know of whole runs make anybody wait', () => {
  expect(isOncePerRun({ type: 'a', beforeJobExecuted: () => {} })).toBe(false)
  expect(isOncePerRun({ type: 'a', beforeLastStarted: () => {} })).toBe(true)
  expect(isOncePerRun({ type: 'a', afterLastCompleted: () => {} })).toBe(true)
})
