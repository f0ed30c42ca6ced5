import { beforeEach, describe, expect, it } from 'vitest'

import { LeaseTime } from '../../src/session/lease-time.ts'
import {
  isTenable,
  Lease,
  leaseDefaults,
  leaseTerms,
  problemOfLease,
  shortestTimeout,
} from '../../src/session/lease.ts'
import { FakeClock } from '../support/fake-clock.ts'

const timeout = 12_000

describe('leaseTerms', () => {
  it('subtract the tick, a renewal, the drift and the abort time from the timeout', () => {
    const { duration, renewEvery, margin } = leaseTerms(timeout, leaseDefaults)
    expect(renewEvery).toBe(2000)
    expect(margin).toBe(2000 + 2000 + 12 + 1000)
    expect(duration).toBe(timeout - margin)
  })

  it('are tenable from shortestTimeout on, and not below', () => {
    const shortest = shortestTimeout(leaseDefaults)
    expect(isTenable(leaseTerms(shortest, leaseDefaults))).toBe(true)
    expect(isTenable(leaseTerms(shortest - 1, leaseDefaults))).toBe(false)
  })

  it('problemOfLease explains an untenable lease with the arithmetic', () => {
    expect(problemOfLease(12_000, leaseDefaults)).toBeUndefined()
    expect(problemOfLease(4000, leaseDefaults)?.message).toMatch(
      /4000 - 2000 \(serverTickTime\) - 667 \(timeout \/ 6\) - 4 \(0\.1 %\) - 1000 \(abortTime\) = 329 ms, and needs 1333/,
    )
  })
})

describe('Lease', () => {
  let clock: FakeClock
  let time: LeaseTime
  let lease: Lease
  let told: string[]

  beforeEach(() => {
    clock = new FakeClock()
    time = new LeaseTime(clock)
    told = []
    lease = new Lease(clock, time, leaseDefaults, {
      renew: (path) => told.push(`renew ${path}`),
      ended: () => told.push('ended'),
      regained: () => told.push('regained'),
    })
  })

  const stamp = (): number => time.stamp(clock.monotonic())
  const { duration, reach, tick, renewEvery } = leaseTerms(timeout, leaseDefaults)
  /** Sends a packet that is answered at once. */
  const speak = (): number => {
    const sent = stamp()
    lease.heard(sent, sent)
    return sent
  }

  it('is invalid without a session', () => {
    expect(lease.valid).toBe(false)
    expect(lease.remaining).toBe(0)
  })

  it('counts from when the last answered write was sent, not from its answer', () => {
    lease.begin(timeout, stamp())
    const sent = stamp()
    clock.advance(700)
    lease.prove(sent)
    expect(lease.remaining).toBe(duration - 700)
  })

  it('is not shortened by an older write that is answered late', () => {
    const older = stamp()
    clock.advance(500)
    lease.begin(timeout, stamp())
    lease.prove(older)
    expect(lease.remaining).toBe(duration)
  })

  it('needs no timer while nothing holds it', () => {
    lease.begin(timeout, stamp())
    expect(clock.pendingTimers).toBe(0)
    clock.advance(timeout * 2)
    expect(told).toEqual([])
    expect(lease.valid).toBe(false)
  })

  it('is held until every hold is released', () => {
    expect(lease.isHeld).toBe(false)
    const [one, other] = [lease.hold('/lease'), lease.hold('/lease')]
    one.release()
    expect(lease.isHeld).toBe(true)
    other.release()
    expect(lease.isHeld).toBe(false)
  })

  it('is renewed by a write after renewEvery without a write', () => {
    lease.begin(timeout, stamp())
    lease.hold('/lease')
    clock.advance(renewEvery - 1)
    expect(told).toEqual([])
    clock.advance(1)
    expect(told).toEqual(['renew /lease'])
  })

  it('is not renewed while other writes prove the session', () => {
    lease.begin(timeout, stamp())
    lease.hold('/lease')
    for (let i = 0; i < 20; i++) {
      clock.advance(renewEvery / 2)
      lease.prove(speak())
    }
    expect(told).toEqual([])
  })

  it('emits lease:ended once when no write is answered in time, and lease:regained with the next answer', () => {
    lease.begin(timeout, stamp())
    lease.hold('/lease')
    clock.advance(duration - 1)
    expect(told.filter((one) => one === 'ended')).toEqual([])
    expect(lease.valid).toBe(true)
    clock.advance(1)
    expect(told.filter((one) => one === 'ended')).toEqual(['ended'])
    clock.advance(timeout)
    expect(told.filter((one) => one === 'ended')).toEqual(['ended'])
    speak()
    clock.advance(tick)
    lease.prove(speak())
    expect(told.at(-1)).toBe('regained')
    expect(lease.valid).toBe(true)
  })

  it('ends after a suspension that the monotonic clock did not count', () => {
    lease.begin(timeout, stamp())
    lease.hold('/lease')
    clock.suspend(duration + 1)
    expect(lease.valid).toBe(false)
    // Its timer stopped as well, and must not be set for much longer than this.
    clock.advance(500)
    expect(told).toContain('ended')
  })

  it('repeats an unanswered renewal after half the interval, however often it is checked', () => {
    lease.begin(timeout, stamp())
    lease.hold('/lease')
    clock.advance(renewEvery + renewEvery / 2)
    expect(told).toEqual(['renew /lease', 'renew /lease'])
  })

  it('does not treat jitter of the boot clock as a suspension', () => {
    lease.begin(timeout, stamp())
    clock.suspend(20)
    expect(lease.remaining).toBe(duration)
  })

  it('ends at once with its session', () => {
    lease.begin(timeout, stamp())
    lease.hold('/lease')
    lease.end()
    expect(told).toEqual(['ended'])
    lease.begin(timeout, stamp())
    expect(told).toEqual(['ended', 'regained'])
  })

  it('stays held until each hold is released, even if one is released twice', () => {
    lease.begin(timeout, stamp())
    const holds = ['/a', '/b', '/c', '/d'].map((path) => lease.hold(path))
    for (const place of [1, 1, 0, 3, 0, 3]) holds[place]?.release()
    expect(lease.isHeld).toBe(true)
    clock.advance(renewEvery)
    expect(told).toEqual(['renew /c'])
    holds[2]?.release()
    expect(lease.isHeld).toBe(false)
  })

  it('leaves no timer when the last hold is released', () => {
    lease.begin(timeout, stamp())
    const one = lease.hold('/one')
    const other = lease.hold('/other')
    one.release()
    expect(clock.pendingTimers).toBe(1)
    other.release()
    expect(clock.pendingTimers).toBe(0)
    clock.advance(timeout)
    lease.prove(stamp())
    expect(told).toEqual([])
  })

  describe('after a silence', () => {
    beforeEach(() => {
      lease.begin(timeout, stamp())
    })

    it('a write proves no more than the packets before it, because the leader relies on reports of its followers', () => {
      clock.advance(reach - 500)
      lease.prove(speak())
      expect(lease.remaining).toBe(500)
    })

    it('the first write after a silence of a whole timeout proves nothing, and a write one tick later does', () => {
      clock.advance(timeout)
      lease.prove(speak())
      expect(lease.valid).toBe(false)
      clock.advance(tick)
      lease.prove(speak())
      expect(lease.remaining).toBe(duration)
    })

    it('a packet counts once the leader had a tick to hear of it', () => {
      clock.advance(4000)
      const ping = speak()
      clock.advance(tick - 1)
      lease.prove(speak())
      expect(lease.remaining).toBe(reach - 4000 - tick + 1)
      clock.advance(1)
      const write = speak()
      lease.prove(stamp())
      expect(lease.remaining).toBe(Math.min(duration, ping + reach - write))
    })

    it('a packet counts from its answer, because after a cut link recovers all packets arrive at once', () => {
      clock.advance(3000)
      const ping = stamp()
      clock.advance(tick)
      const write = stamp()
      clock.advance(1000)
      lease.heard(ping, stamp())
      lease.prove(write)
      expect(lease.remaining).toBe(Math.min(duration - 1000, reach - 4000 - tick))
      clock.advance(tick)
      lease.prove(speak())
      expect(lease.remaining).toBe(reach - 1000 - 2 * tick)
    })

    it('a new connection counts from its handshake, and packets of the former one do not count', () => {
      clock.advance(6000)
      speak()
      clock.advance(tick)
      lease.resume(stamp())
      clock.advance(10)
      lease.prove(speak())
      expect(lease.remaining).toBe(duration)
    })

    it('settlesIn returns the time until a write proves enough again', () => {
      expect(lease.settlesIn).toBe(0)
      clock.advance(4000)
      expect(lease.settlesIn).toBe(0)
      clock.advance(timeout)
      expect(lease.settlesIn).toBe(tick)
      speak()
      clock.advance(500)
      expect(lease.settlesIn).toBe(tick - 500)
      clock.advance(tick - 500)
      expect(lease.settlesIn).toBe(0)
    })

    it('lasts equally long however many packets are sent', () => {
      for (let i = 0; i < 5000; i++) {
        clock.advance(7)
        lease.prove(speak())
        expect(lease.remaining).toBe(duration)
      }
    })
  })
})
