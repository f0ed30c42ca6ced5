import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { describe, expect, it } from 'vitest'

import { PreciseTimer } from '../../src/timing/precise-timer.ts'
import { HandClock } from '../support/hand-clock.ts'

/** Lets what was resolved be heard. */
const microtasks = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

describe('PreciseTimer', () => {
  it('looks at a clock that goes on after every poll, until it is that time', async () => {
    const clock = new HandClock(98)
    const times: number[] = []
    void new PreciseTimer(clock, clock.now).reach(100).then(() => times.push(clock.time))
    for (const time of [98.2, 99, 99.9]) {
      clock.poll(time)
      await microtasks()
    }
    expect(times).toEqual([])
    clock.poll(100.1)
    await microtasks()
    expect(times).toEqual([100.1])
    expect([clock.waiting, clock.timers.length]).toEqual([0, 0])
  })

  it('sleeps until the last milliseconds', async () => {
    const clock = new HandClock(20)
    const times: number[] = []
    void new PreciseTimer(clock, clock.now).reach(100).then(() => times.push(clock.time))
    clock.poll()
    expect([clock.waiting, clock.timers.map(({ after }) => after)]).toEqual([0, [78]])
    clock.time = 98.3
    clock.timers[0]?.ring()
    for (const time of [98.4, 99.2, 100]) clock.poll(time)
    await microtasks()
    expect(times).toEqual([100])
    expect(clock.timers).toHaveLength(1)
  })

  it('waits by a timer where the clock stands still between two looks', async () => {
    const clock = new SimulatedClock()
    const start = clock.now()
    const times: number[] = []
    const preciseTimer = new PreciseTimer(clock, () => clock.now())
    for (const after of [2, 60]) {
      void preciseTimer.reach(start + after).then(() => times.push(clock.now() - start))
    }
    await clock.advance(100)
    expect(times).toEqual([2, 60])
  })

  it('lets all who wait for one time go on together', async () => {
    const clock = new HandClock(99)
    const preciseTimer = new PreciseTimer(clock, clock.now)
    const reached = preciseTimer.reach(100)
    expect(preciseTimer.reach(100)).toBe(reached)
    expect(clock.waiting).toBe(1)
    clock.poll(100)
    await reached
    expect(preciseTimer.reach(100)).not.toBe(reached)
  })

  it('does not wait for a clock that was set back', async () => {
    const clock = new HandClock(98)
    let offset = 0
    let isReached = false
    const reached = new PreciseTimer(clock, () => clock.now() + offset).reach(100)
    void reached.then(() => (isReached = true))
    clock.poll(98.5)
    await microtasks()
    expect(isReached).toBe(false)
    offset = -3_600_000
    clock.poll(98.6)
    await microtasks()
    expect(isReached).toBe(true)
  })

  it('goes on after the next poll if it is that time already', async () => {
    const clock = new HandClock(100)
    let isReached = false
    void new PreciseTimer(clock, clock.now).reach(100).then(() => (isReached = true))
    await microtasks()
    expect(isReached).toBe(false)
    clock.poll()
    await microtasks()
    expect(isReached).toBe(true)
  })
})
