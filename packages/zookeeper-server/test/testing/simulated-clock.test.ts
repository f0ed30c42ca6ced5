import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/testing.ts'

describe('SimulatedClock', () => {
  it('stands still until it is advanced', async () => {
    const clock = new SimulatedClock()
    const [wall, monotonic] = [clock.now(), clock.monotonic()]
    await clock.advance(0)
    expect([clock.now(), clock.monotonic()]).toEqual([wall, monotonic])
    await clock.advance(1_500)
    expect([clock.now() - wall, clock.monotonic() - monotonic]).toEqual([1_500, 1_500])
  })

  it('runs timers in the order of their time, then of their registration', async () => {
    const clock = new SimulatedClock()
    const called: unknown[] = []
    const note = (name: string) => () => called.push([name, clock.monotonic()])
    clock.setTimer(note('late'), 20)
    clock.setTimer(note('first'), 10)
    clock.setTimer(note('second'), 10)
    clock.setTimer(note('cancelled'), 15).cancel()
    clock.setTimer(note('never'), 31)
    clock.afterPoll(note('at once'))
    await clock.advance(30)
    expect(called).toEqual([
      ['at once', 0],
      ['first', 10],
      ['second', 10],
      ['late', 20],
    ])
    expect(clock.pending).toBe(1)
  })

  it('runs everything that follows from a timer before the next one', async () => {
    const clock = new SimulatedClock()
    const called: string[] = []
    const waiting = async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        clock.setTimer(resolve, 10)
      })
      await Promise.resolve()
      called.push('after the first')
      clock.setTimer(() => called.push('between'), 5)
    }
    const done = waiting()
    clock.setTimer(() => called.push('second'), 20)
    await clock.advance(30)
    await done
    expect(called).toEqual(['after the first', 'between', 'second'])
  })

  it('until() advances until a promise is settled', async () => {
    const clock = new SimulatedClock()
    const promise = new Promise<string>((resolve) => {
      clock.setTimer(() => resolve('done'), 5_000)
    })
    expect(await clock.until(promise)).toBe('done')
    expect(clock.monotonic()).toBe(5_000)
    await expect(clock.until(Promise.reject(new Error('bad')))).rejects.toThrow('bad')
    await expect(clock.until(new Promise(() => {}))).rejects.toThrow('still waiting')
  })
})
