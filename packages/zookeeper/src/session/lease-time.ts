import type { Clock } from '../clock.ts'

/** How long a reading of the boot clock stays valid, in milliseconds: Node reads it from a file. */
const resampleAfter = 100

/** A smaller difference between the wall clock and the monotonic clock is within their resolution. */
const resolution = 2

/**
 * A smaller difference between the boot clock and the monotonic clock is within their resolution, not a
 * suspension.
 */
const noise = 50

/**
 * The step of the boot clock, in milliseconds: the system prints it in hundredths of a second. A measured suspension may
 * be this much too short.
 */
const bootStep = 10

/**
 * The time base of leases: monotonic, and continuing while the machine is suspended. The monotonic clock
 * alone stops during a suspension, and a lease would look valid after the machine wakes.
 */
export class LeaseTime {
  readonly #clock: Clock
  readonly #base: number
  #suspended = 0
  #sampledAt: number
  #sampledWall: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sampledAt = clock.monotonic()
    this.#sampledWall = clock.now()
    this.#base = clock.boot() - this.#sampledAt
  }

  /**
   * The stamp of a moment that is now or was just before. It may miss a suspension that ended just now and is
   * then too early: the lease counted from it ends sooner, never later.
   */
  stamp(monotonic: number): number {
    if (monotonic - this.#sampledAt >= resampleAfter) this.#sample()
    return this.#withSuspensions(monotonic)
  }

  /** The current time, including every suspension. */
  now(): number {
    const monotonic = this.#clock.monotonic()
    const elapsed = monotonic - this.#sampledAt
    // The wall clock continues while the machine is suspended: while both clocks advanced equally, there was
    // no suspension.
    const apart = Math.abs(this.#clock.now() - this.#sampledWall - elapsed)
    if (elapsed >= resampleAfter || apart >= resolution) this.#sample()
    return this.#withSuspensions(monotonic)
  }

  /** Rounds suspensions up: a lease that counts too much suspension ends early, one that counts too little ends late. */
  #withSuspensions(monotonic: number): number {
    return this.#suspended === 0 ? monotonic : monotonic + this.#suspended + bootStep
  }

  #sample(): void {
    this.#sampledAt = this.#clock.monotonic()
    this.#sampledWall = this.#clock.now()
    const suspended = this.#clock.boot() - this.#sampledAt - this.#base
    if (suspended > this.#suspended + noise) this.#suspended = suspended
  }
}
