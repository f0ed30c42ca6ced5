import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { expect, it } from 'vitest'

import { onTheDot } from '../../src/registry/on-the-dot.ts'
import { HandClock } from '../support/hand-clock.ts'

it('looks at a clock that goes on after every poll, until it is that time', () => {
  const clock = new HandClock(98)
  const times: number[] = []
  onTheDot(
    clock,
    () => 100 - clock.now(),
    () => times.push(clock.time),
  )
  for (const time of [98.2, 99, 99.9]) clock.poll(time)
  expect(times).toEqual([])
  clock.poll(100.1)
  expect(times).toEqual([100.1])
  expect([clock.waiting, clock.timers.length]).toEqual([0, 0])
})

it('waits by a timer where the clock stands still between two looks', async () => {
  const clock = new SimulatedClock()
  const start = clock.now()
  const times: number[] = []
  onTheDot(
    clock,
    () => start + 2 - clock.now(),
    () => times.push(clock.now() - start),
  )
  await clock.advance(10)
  expect(times).toEqual([2])
})

it('does not wait for a clock that was set back', () => {
  const clock = new HandClock(98)
  let offset = 0
  let calls = 0
  onTheDot(
    clock,
    () => 100 - (clock.now() + offset),
    () => (calls += 1),
  )
  clock.poll(98.5)
  expect(calls).toBe(0)
  offset = -3_600_000
  clock.poll(98.6)
  expect(calls).toBe(1)
})

it('calls back after the next poll if it is that time already', () => {
  const clock = new HandClock(100)
  let calls = 0
  onTheDot(
    clock,
    () => 100 - clock.now(),
    () => (calls += 1),
  )
  expect(calls).toBe(0)
  clock.poll()
  expect(calls).toBe(1)
})
