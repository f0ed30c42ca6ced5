import type { Clock, Timer } from '../clock.ts'
import { ZooKeeperError } from '../errors.ts'
import type { LeaseTime } from './lease-time.ts'
import { type LeaseHold, LeaseHolds } from './lease-holds.ts'
import { Packets } from './packets.ts'

/** The options of a lease. */
export interface LeaseOptions {
  /**
   * The servers' tickTime in milliseconds. The ensemble's leader learns only at this pace which sessions its
   * followers have heard from.
   * @default 2000
   */
  readonly serverTickTime?: number
  /**
   * How long before the session's earliest expiry the lease ends, in milliseconds: the time for running work
   * to stop.
   * @default 1000
   */
  readonly abortTime?: number
}

export const leaseDefaults: Required<LeaseOptions> = Object.freeze({
  serverTickTime: 2000,
  abortTime: 1000,
})

/** The durations of a lease for one session timeout, in milliseconds. */
export interface LeaseTerms {
  /** How long an answered write proves the session at most, counted from when it was sent. */
  readonly duration: number
  /**
   * How long a packet proves the session that the ensemble's leader is known to have heard of, counted from
   * when it was sent.
   */
  readonly reach: number
  /** How long it takes until the ensemble's leader has heard of a packet. */
  readonly tick: number
  /** How long after the last write a held lease is renewed by another write. */
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

/** A lease shorter than two renewals would lapse at the first lost packet. */
export function isTenable(terms: LeaseTerms): boolean {
  return terms.duration >= 2 * terms.renewEvery
}

export function shortestTimeout(options: Required<LeaseOptions>): number {
  return Math.ceil((options.serverTickTime + options.abortTime) / (1 / 2 - drift))
}

/** Explains the shortest timeout. */
export function reasonForShortest({ serverTickTime, abortTime }: Required<LeaseOptions>): string {
  return (
    `a lease needs (serverTickTime ${serverTickTime} ms + abortTime ${abortTime} ms) / 0.499 = ` +
    `${shortestTimeout({ serverTickTime, abortTime })} ms: the timeout less serverTickTime, abortTime, ` +
    'timeout / 6 and 0.1 % has to outlast two renewals of timeout / 6 each'
  )
}

/** Explains why a negotiated timeout is too short for a lease, or returns undefined. */
export function problemOfLease(
  timeout: number,
  options: Required<LeaseOptions>,
): ZooKeeperError | undefined {
  const terms = leaseTerms(timeout, options)
  if (isTenable(terms)) return undefined
  const { serverTickTime, abortTime } = options
  return new ZooKeeperError(
    'ZK_LEASE_IMPOSSIBLE',
    `the server negotiated a session timeout of ${timeout} ms. A lease of it lasts ` +
      `${timeout} - ${serverTickTime} (serverTickTime) - ${ms(terms.renewEvery)} (timeout / 6) - ` +
      `${ms(timeout * drift)} (0.1 %) - ${abortTime} (abortTime) = ${ms(terms.duration)} ms, ` +
      `and needs ${ms(2 * terms.renewEvery)} (two renewals). ` +
      `Raise the server's maxSessionTimeout to ${shortestTimeout(options)} ms, or lower serverTickTime or abortTime.`,
  )
}

function ms(value: number): string {
  return String(Math.round(value))
}

/**
 * The longest interval between two checks of a held lease, in milliseconds. Timers stop while a machine is
 * suspended: a timer set for the end of the lease would fire late by the length of the suspension.
 */
const longestLook = 500

/** How the lease acts on its session. */
export interface LeaseSession {
  /** Writes the node, if there is a connection; the answer calls `prove`. */
  renew(path: string): void
  ended(): void
  regained(): void
}

/**
 * How long the session is proven to live.
 *
 * Only an answered write proves a session: a follower that is cut off from the ensemble's leader still
 * answers pings, reads, syncs and handshakes, while the leader may have expired the session and deleted its
 * ephemeral nodes. So the lease runs from the moment when the last answered write was *sent*.
 *
 * A write alone does not keep a session alive, though: the leader relies on what its followers report once in
 * a tick. A write just before the end of a long silence is committed, and the session expires all the same.
 * So a write proves no more than the last packet allows that was answered a tick before it.
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
  #renewedAt = -Infinity
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

  /** The remaining time in milliseconds; 0 without a valid lease. */
  get remaining(): number {
    return Math.max(0, this.#remainingAt(this.#time.now()))
  }

  /** Whether the session is proven to live. */
  get valid(): boolean {
    return this.remaining > 0
  }

  /** Whether a holder depends on the lease; only then writes keep it alive. */
  get isHeld(): boolean {
    return this.#holds.size > 0
  }

  /** The durations for the current session; undefined without a session. */
  get terms(): LeaseTerms | undefined {
    return this.#terms
  }

  /**
   * Keeps the lease alive while a holder depends on it: after `terms.renewEvery` without a write, sets the
   * node (creates it as an ephemeral node if it is absent). The end of a held lease emits `lease:ended`.
   */
  hold(path: string): LeaseHold {
    const hold = this.#holds.add(path)
    if (this.#holds.size === 1) {
      this.#over = !this.valid
      this.#tend()
    }
    return hold
  }

  /** Starts the lease of a new session; its creation was committed like any write. */
  begin(timeout: number, stamp: number): void {
    this.#terms = leaseTerms(timeout, this.#options)
    this.#packets.begin(stamp)
    this.#provenAt = stamp
    this.#provenUntil = stamp + this.#terms.duration
    if (this.#holds.size > 0) this.#tend()
  }

  /** Continues the lease over another connection; the handshake asked the ensemble's leader itself. */
  resume(stamp: number): void {
    this.#packets.begin(stamp)
  }

  /** A packet of any kind, sent at `sent`, was answered at `at`. */
  heard(sent: number, at: number): void {
    if (this.#terms !== undefined) this.#packets.add(sent, at, this.#terms.reach)
  }

  /** A write sent at this moment was answered. */
  prove(stamp: number): void {
    if (stamp > this.#provenAt) this.#provenAt = stamp
    this.#provenUntil = Math.max(this.#provenUntil, this.#provableUntil(stamp))
    if (this.#over) this.#tend()
  }

  /**
   * The time in milliseconds until a write can prove the session for long enough to start work; 0 for now.
   * After a long silence this takes until the ensemble's leader has heard from this client again.
   */
  get settlesIn(): number {
    if (this.#terms === undefined) return 0
    const { renewEvery, tick } = this.#terms
    const now = this.#time.stamp(this.#clock.monotonic())
    const until = Math.max(this.#provenUntil, this.#provableUntil(now))
    if (until - now >= renewEvery / 2) return 0
    return Math.max(1, (this.#packets.firstAfter(now - tick) ?? now) + tick - now)
  }

  /** The session ended. */
  end(): void {
    this.#terms = undefined
    this.#provenAt = -Infinity
    this.#provenUntil = -Infinity
    if (this.#holds.size > 0) this.#tend()
  }

  /** Cancels the timer. */
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

  /** Until when a write sent at this moment proves the session. */
  #provableUntil(stamp: number): number {
    if (this.#terms === undefined) return -Infinity
    const { duration, reach, tick } = this.#terms
    return Math.min(stamp + duration, this.#packets.lastUntil(stamp - tick) + reach)
  }

  /** Emits changes, renews when it is time, and sets the next timer. */
  #tend(): void {
    this.stop()
    const now = this.#time.now()
    const remaining = this.#remainingAt(now)
    this.#announce(remaining <= 0)
    if (this.#terms === undefined || this.#holds.size === 0) return
    const { renewEvery } = this.#terms
    // An unanswered renewal is repeated after half the interval.
    const renewAt = Math.max(this.#provenAt + renewEvery, this.#renewedAt + renewEvery / 2)
    let untilRenewal = renewAt - now
    if (untilRenewal <= 0) {
      const { path } = this.#holds
      if (path !== undefined) this.#session.renew(path)
      this.#renewedAt = now
      untilRenewal = renewEvery / 2
    }
    const next = Math.min(untilRenewal, remaining > 0 ? remaining : Infinity, longestLook)
    // The sockets may already hold the answer that the lease waits for.
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
