import type { Clock, Timer } from '../clock.ts'
import { ZooKeeperError } from '../errors.ts'
import type { LeaseTime } from './lease-time.ts'
import { type LeaseHold, LeaseHolds } from './lease-holds.ts'
import { Packets } from './packets.ts'

/** What a lease has to allow for. */
export interface LeaseOptions {
  /**
   * The servers' tickTime in milliseconds. The ensemble's leader learns only at this pace which
   * sessions its followers have heard of.
   * @default 2000
   */
  readonly serverTickTime?: number
  /**
   * How long before the session's possible end the lease ends, in milliseconds: the time that
   * running work gets to stop.
   * @default 1000
   */
  readonly abortTime?: number
}

export const leaseDefaults: Required<LeaseOptions> = Object.freeze({
  serverTickTime: 2000,
  abortTime: 1000,
})

/** The arithmetic of a lease for one session timeout. */
export interface LeaseTerms {
  /** How long after it was sent an answered write proves the session at most, in milliseconds. */
  readonly duration: number
  /** How long after it was sent a packet proves it that the ensemble's leader is known to have heard of. */
  readonly reach: number
  /** Until the ensemble's leader has heard of a packet. */
  readonly tick: number
  /** After how long without a write a held lease is renewed by one. */
  readonly renewEvery: number
  readonly margin: number
}

const drift = 0.001

/** duration = timeout - (serverTickTime + timeout / 6 + 0.1 % of the timeout + abortTime) */
export function leaseTerms(timeout: number, options: Required<LeaseOptions>): LeaseTerms {
  const renewEvery = timeout / 6
  const tick = options.serverTickTime
  const margin = tick + renewEvery + timeout * drift + options.abortTime
  const reach = timeout - timeout * drift - options.abortTime
  return { duration: timeout - margin, reach, tick, renewEvery, margin }
}

/** A lease that cannot outlast two renewals would lapse at the first lost packet. */
export function isTenable(terms: LeaseTerms): boolean {
  return terms.duration >= 2 * terms.renewEvery
}

/** The shortest session timeout whose lease is tenable. */
export function shortestTimeout(options: Required<LeaseOptions>): number {
  return Math.ceil((options.serverTickTime + options.abortTime) / (1 / 2 - drift))
}

/** Why a timeout that a server settled on leaves no room for a lease, if it does not: the arithmetic. */
export function problemOfLease(
  timeout: number,
  options: Required<LeaseOptions>,
): ZooKeeperError | undefined {
  const terms = leaseTerms(timeout, options)
  if (isTenable(terms)) return undefined
  const { serverTickTime, abortTime } = options
  return new ZooKeeperError(
    'ZK_LEASE_IMPOSSIBLE',
    `the server settled on a session timeout of ${timeout} ms. A lease of it lasts ` +
      `${timeout} - ${serverTickTime} (serverTickTime) - ${ms(terms.renewEvery)} (timeout / 6) - ` +
      `${ms(timeout * drift)} (0.1 %) - ${abortTime} (abortTime) = ${ms(terms.duration)} ms, ` +
      `and needs ${ms(2 * terms.renewEvery)} (two renewals). ` +
      `Let the server's maxSessionTimeout allow ${shortestTimeout(options)} ms, or lower serverTickTime or abortTime.`,
  )
}

function ms(value: number): string {
  return String(Math.round(value))
}

/** How the lease acts on the session that it belongs to. */
export interface LeaseSession {
  /** Writes the node, if there is a connection; an answer arrives as `prove`. */
  renew(path: string): void
  ended(): void
  regained(): void
}

/**
 * Until when the holder of a session may believe that it lives.
 *
 * Only an answered write proves a session: a follower that is cut off from its ensemble's leader
 * answers pings, reads, syncs and handshakes all the same, while the leader has long given the
 * ephemeral nodes away. So the lease runs from the moment the last answered write was *sent*.
 *
 * A write alone does not keep a session alive, though: the leader goes by what its followers tell it
 * once in a tick, and a write that comes just before the end of a long silence is committed, and the
 * session expires all the same. So a write proves no more than the last packet allows that had been
 * answered a tick before it.
 */
export class Lease {
  readonly #clock: Clock
  readonly #time: LeaseTime
  readonly #options: Required<LeaseOptions>
  readonly #session: LeaseSession
  readonly #holds = new LeaseHolds(() => this.#letGo())
  readonly #packets = new Packets()
  #terms: LeaseTerms | undefined
  #provenAt = -Infinity
  #provenUntil = -Infinity
  #timer: Timer | undefined
  #over = false

  constructor(
    clock: Clock,
    time: LeaseTime,
    options: Required<LeaseOptions>,
    session: LeaseSession,
  ) {
    this.#clock = clock
    this.#time = time
    this.#options = options
    this.#session = session
  }

  /** How many milliseconds are left; 0 when there is none. */
  get remaining(): number {
    return Math.max(0, this.#remainingAt(this.#time.now()))
  }

  /** Whether the session is proven to live. */
  get valid(): boolean {
    return this.remaining > 0
  }

  /** Whether something depends on it: only then it is kept alive by writes. */
  get isHeld(): boolean {
    return this.#holds.size > 0
  }

  /** The arithmetic of the present session; undefined while there is none. */
  get terms(): LeaseTerms | undefined {
    return this.#terms
  }

  /**
   * Keeps the lease alive while something depends on it: whenever nothing was written for
   * `terms.renewEvery`, the node is set (made as an ephemeral one if it is absent). The end of a held
   * lease is told by `lease:ended`.
   */
  hold(path: string): LeaseHold {
    const hold = this.#holds.add(path)
    if (this.#holds.size === 1) {
      this.#over = !this.valid
      this.#tend()
    }
    return hold
  }

  /** A session begins; its creation was committed like any write. */
  begin(timeout: number, stamp: number): void {
    this.#terms = leaseTerms(timeout, this.#options)
    this.#packets.begin(stamp)
    this.#provenAt = stamp
    this.#provenUntil = stamp + this.#terms.duration
    if (this.#holds.size > 0) this.#tend()
  }

  /** The session goes on over another connection; the ensemble's leader itself has been asked for it. */
  resume(stamp: number): void {
    this.#packets.begin(stamp)
  }

  /** Something that was sent at this moment, whatever it is, has been answered at that one. */
  heard(sent: number, at: number): void {
    if (this.#terms !== undefined) this.#packets.add(sent, at, this.#terms.reach)
  }

  /** A write that was sent at this moment has been answered. */
  prove(stamp: number): void {
    if (stamp > this.#provenAt) this.#provenAt = stamp
    this.#provenUntil = Math.max(this.#provenUntil, this.#provableUntil(stamp))
    if (this.#over) this.#tend()
  }

  /**
   * In how many milliseconds a write will prove the session for long enough to begin something; 0 for
   * now. After a long silence that takes until the ensemble's leader has heard of us again.
   */
  get settlesIn(): number {
    if (this.#terms === undefined) return 0
    const { renewEvery, tick } = this.#terms
    const now = this.#time.stamp(this.#clock.monotonic())
    const until = Math.max(this.#provenUntil, this.#provableUntil(now))
    if (until - now >= renewEvery / 2) return 0
    return Math.max(1, (this.#packets.firstAfter(now - tick) ?? now) + tick - now)
  }

  /** The session is gone. */
  end(): void {
    this.#terms = undefined
    this.#provenAt = -Infinity
    this.#provenUntil = -Infinity
    if (this.#holds.size > 0) this.#tend()
  }

  /** No timer is left behind. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #letGo(): void {
    this.stop()
    this.#over = false
  }

  #remainingAt(now: number): number {
    return this.#terms === undefined ? 0 : this.#provenUntil - now
  }

  /** Until when a write that was sent at this moment proves the session. */
  #provableUntil(stamp: number): number {
    if (this.#terms === undefined) return -Infinity
    const { duration, reach, tick } = this.#terms
    return Math.min(stamp + duration, this.#packets.lastUntil(stamp - tick) + reach)
  }

  /** Says what has changed, writes when it is time, and comes back when there is something to do. */
  #tend(): void {
    this.stop()
    const now = this.#time.now()
    const remaining = this.#remainingAt(now)
    this.#announce(remaining <= 0)
    if (this.#terms === undefined || this.#holds.size === 0) return
    const { renewEvery } = this.#terms
    const sinceProof = now - this.#provenAt
    if (sinceProof >= renewEvery) {
      const { path } = this.#holds
      if (path !== undefined) this.#session.renew(path)
    }
    const untilRenewal = sinceProof < renewEvery ? renewEvery - sinceProof : renewEvery / 2
    const next = remaining > 0 ? Math.min(untilRenewal, remaining) : untilRenewal
    // What the sockets hold may be the very answer that the lease waits for.
    this.#timer = this.#clock.setTimer(() => this.#clock.afterPoll(() => this.#tendIfHeld()), next)
  }

  #tendIfHeld(): void {
    if (this.#holds.size > 0 && this.#timer !== undefined) this.#tend()
  }

  #announce(over: boolean): void {
    if (over === this.#over) return
    this.#over = over
    if (over) this.#session.ended()
    else this.#session.regained()
  }
}
