import { describe, expect, it } from 'vitest'

import type { Clock } from '../../src/clock.ts'
import { momentOf, RegistryTime } from '../../src/registry/registry-time.ts'

/** A clock whose parts go their own ways, as those of a machine do. */
class MachineClock implements Clock {
  wall = 1_000_000
  running = 0
  suspended = 0

  now(): number {
    return this.wall
  }

  monotonic(): number {
    return this.running
  }

  boot(): number {
    return this.running + this.suspended
  }

  setTimer(): never {
    throw new Error('nobody waits here')
  }

  afterPoll(): never {
    throw new Error('nobody waits here')
  }

  pass(milliseconds: number): void {
    this.wall += milliseconds
    this.running += milliseconds
  }

  sleep(milliseconds: number): void {
    this.wall += milliseconds
    this.suspended += milliseconds
  }
}

/** A write that took so long, of a registry whose clock is so far ahead of this one. */
function write(clock: MachineClock, time: RegistryTime, ahead: number, took: number): void {
  const begun = momentOf(clock)
  clock.pass(took / 2)
  const modified = clock.now() + ahead
  clock.pass(took / 2)
  time.observe(modified, begun)
}

describe('RegistryTime', () => {
  it('is the local time as long as nothing is known', () => {
    const clock = new MachineClock()
    expect(new RegistryTime(clock).now()).toBe(clock.now())
  })

  it('is the time of the registry, as the writes show it, a day ahead or behind', () => {
    for (const ahead of [86_400_000, -86_400_000, 13]) {
      const clock = new MachineClock()
      const time = new RegistryTime(clock)
      write(clock, time, ahead, 10)
      expect(time.now()).toBe(clock.now() + ahead)
      clock.pass(12_345)
      expect(time.now()).toBe(clock.now() + ahead)
    }
  })

  it('is the local time as long as no write shows that the two clocks differ', () => {
    for (const ahead of [0, 3, -3]) {
      const clock = new MachineClock()
      const time = new RegistryTime(clock)
      write(clock, time, ahead, 10)
      expect(time.now()).toBe(clock.now())
    }
  })

  it.each([2000, -2000])(
    'is not ahead of the registry after a write of four seconds, with a local clock that is %d ms ahead',
    (ahead) => {
      // When the registry carried it out is not known: at once, or just before its answer.
      for (const until of [0, 2000, 4000]) {
        const clock = new MachineClock()
        const time = new RegistryTime(clock)
        const begun = momentOf(clock)
        clock.pass(until)
        const modified = clock.now() - ahead
        clock.pass(4000 - until)
        time.observe(modified, begun)
        expect(time.now()).toBeLessThanOrEqual(clock.now() - ahead + 50)
        write(clock, time, -ahead, 4)
        expect(time.now()).toBe(clock.now() - ahead)
      }
    },
  )

  it('is a whole number of milliseconds', () => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 0, 7)
    expect(Number.isInteger(time.now())).toBe(true)
  })

  it('believes the write that took the least', () => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 1000, 4)
    write(clock, time, 1200, 400)
    expect(time.now()).toBe(clock.now() + 1000)
    write(clock, time, 1002, 2)
    expect(time.now()).toBe(clock.now() + 1002)
  })

  it('follows a clock that drifts, as far as every write shows it', () => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 5000, 2)
    for (let drifted = 1; drifted <= 40; drifted++) {
      clock.pass(1000)
      write(clock, time, 5000 - drifted, 10)
      // By no more than half of what the last write took.
      expect(Math.abs(time.now() - (clock.now() + 5000 - drifted))).toBeLessThanOrEqual(5)
    }
  })

  it('believes a slower one rather than one from more than a minute ago: clocks drift', () => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 1000, 4)
    clock.pass(60_000)
    write(clock, time, 1040, 100)
    expect(time.now()).toBe(clock.now() + 1040)
  })

  it.each([60_000, -60_000, 700])(
    "believes a slower one when the registry's clock was set by %d ms",
    (set) => {
      const clock = new MachineClock()
      const time = new RegistryTime(clock)
      write(clock, time, 1000, 4)
      write(clock, time, 1000 + set, 20)
      expect(time.now()).toBe(clock.now() + 1000 + set)
    },
  )

  it('knows how long ago a write has shown it, whether it was believed or not', () => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    expect(time.age).toBe(Infinity)
    write(clock, time, 1000, 4)
    clock.pass(5000)
    expect(time.age).toBe(5004)
    write(clock, time, 1000, 20)
    expect(time.age).toBe(20)
  })

  it.each([3_600_000, -3_600_000])('goes on when the local clock is set by %d ms', (set) => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 1000, 4)
    const before = time.now()
    clock.pass(50)
    clock.wall += set
    clock.pass(50)
    expect(time.now()).toBe(before + 100)
    write(clock, time, 1000 - set, 4)
    expect(time.now()).toBe(before + 104)
  })

  it.each([12_000, 3_600_000])('goes on when the machine was suspended for %d ms', (suspended) => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 1000, 4)
    const before = time.now()
    clock.sleep(suspended)
    expect(time.now()).toBe(before + suspended)
  })

  it('goes on when the local clock is set while the machine is suspended', () => {
    const clock = new MachineClock()
    const time = new RegistryTime(clock)
    write(clock, time, 1000, 4)
    const before = time.now()
    clock.sleep(60_000)
    clock.wall += 3_600_000
    expect(time.now()).toBe(before + 60_000)
  })

  describe('does not believe a write that was under way', () => {
    it.each([-5000, 5000, 86_400_000])('while the clock was set by %d ms', (set) => {
      const clock = new MachineClock()
      const time = new RegistryTime(clock)
      write(clock, time, 1000, 4)
      // An old one: anything sound would be better.
      clock.pass(120_000)
      const begun = momentOf(clock)
      const modified = clock.now() + 1000
      clock.wall += set
      clock.pass(4)
      const before = time.now()
      time.observe(modified, begun)
      expect(time.now()).toBe(before)
      expect(before).toBe(modified + 4)
    })

    it('while the machine was suspended', () => {
      const clock = new MachineClock()
      const time = new RegistryTime(clock)
      write(clock, time, 1000, 4)
      const begun = momentOf(clock)
      const modified = clock.now() + 1000
      clock.sleep(60_000)
      time.observe(modified, begun)
      expect(time.now()).toBe(modified + 60_000)
    })
  })
})
