import { beforeEach, describe, expect, it } from 'vitest'

import { LeaseTime } from '../../src/session/lease-time.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** A clock whose wall clock can be set, and which counts the readings of its boot clock. */
class WatchedClock extends FakeClock {
  readings = 0
  #set = 0

  override now(): number {
    return super.now() + this.#set
  }

  override boot(): number {
    this.readings += 1
    return super.boot()
  }

  setWall(milliseconds: number): void {
    this.#set += milliseconds
  }
}

/** A clock whose boot clock advances in steps of 10 ms, as that of a real machine. */
class SteppingClock extends FakeClock {
  override boot(): number {
    return Math.floor(super.boot() / 10) * 10
  }
}

describe('LeaseTime', () => {
  let clock: WatchedClock
  let time: LeaseTime
  let begun: number

  beforeEach(() => {
    clock = new WatchedClock()
    time = new LeaseTime(clock)
    begun = time.now()
    clock.readings = 0
  })

  it('counts a suspension at once, even right after a reading of the boot clock', () => {
    for (const awake of [0, 1, 50, 99, 100, 5000]) {
      const before = time.now()
      clock.advance(awake)
      clock.suspend(60)
      const counted = time.now() - before
      expect(counted).toBeGreaterThanOrEqual(awake + 60)
      expect(counted).toBeLessThanOrEqual(awake + 60 + 10)
    }
  })

  it('counts no suspension short, although the boot clock advances in steps of 10 ms', () => {
    for (let phase = 0; phase < 10; phase++) {
      for (let suspension = 100; suspension < 110; suspension++) {
        const stepping = new SteppingClock()
        stepping.advance(phase)
        const leaseTime = new LeaseTime(stepping)
        const before = leaseTime.now()
        stepping.suspend(suspension)
        expect(leaseTime.now() - before).toBeGreaterThanOrEqual(suspension)
      }
    }
  })

  it('reads the boot clock at most ten times a second without a suspension', () => {
    for (let ms = 0; ms < 1000; ms++) {
      clock.advance(1)
      time.now()
      time.stamp(clock.monotonic())
    }
    expect(time.now() - begun).toBe(1000)
    expect(clock.readings).toBe(10)
  })

  it('counts only the suspension when the wall clock was set as well', () => {
    clock.suspend(10_000)
    clock.setWall(-3000)
    const suspended = time.now() - begun
    expect(suspended).toBe(10_010)
    clock.advance(10)
    clock.setWall(3_600_000)
    expect(time.now() - begun).toBe(suspended + 10)
    clock.setWall(-7_200_000)
    expect(time.now() - begun).toBe(suspended + 10)
  })
})
