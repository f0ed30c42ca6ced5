import { describe, expect, it } from 'vitest'
import { ShiftableClock } from '../src/shiftable-clock.ts'
import { SimulatedClock } from '../src/testing.ts'

describe('ShiftableClock', () => {
  it('moves wall time only', async () => {
    const inner = new SimulatedClock()
    const clock = new ShiftableClock(inner)
    const wall = clock.now()
    clock.jump(5_000)
    clock.jump(-1_000)
    expect(clock.now() - wall).toBe(4_000)
    expect([clock.monotonic(), clock.boot()]).toEqual([inner.monotonic(), inner.boot()])
    let isCalled = false
    clock.setTimer(() => {
      isCalled = true
    }, 10)
    await inner.advance(10)
    expect(isCalled).toBe(true)
  })
})
