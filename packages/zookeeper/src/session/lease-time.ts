import type { Clock } from '../clock.ts'

/** For so many milliseconds at most a reading of the boot clock holds, which Node takes from a file. */
const resampleAfter = 100

/** Below this a difference between the wall clock and the monotonic one is their resolution. */
const resolution = 2

/** Below this a difference between the boot clock and the monotonic one is their resolution, not a suspension. */
const noise = 50

/**
 * Time by which leases are counted: monotonic, and going on while the machine is suspended. The
 * monotonic clock alone stands still then, and a lease would look valid after the lid is opened.
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
   * The stamp of a moment that is now or was just before. It may miss a suspension that ended an
   * instant ago, and is then too early: the lease counted from it ends sooner, never later.
   */
  stamp(monotonic: number): number {
    if (monotonic - this.#sampledAt >= resampleAfter) this.#sample()
    return monotonic + this.#suspended
  }

  /** The time now, with every suspension counted. */
  now(): number {
    const monotonic = this.#clock.monotonic()
    const elapsed = monotonic - this.#sampledAt
    // The wall clock goes on while the machine sleeps: as long as both have come as far, it has not slept since.
    const apart = Math.abs(this.#clock.now() - this.#sampledWall - elapsed)
    if (elapsed >= resampleAfter || apart >= resolution) this.#sample()
    return monotonic + this.#suspended
  }

  #sample(): void {
    this.#sampledAt = this.#clock.monotonic()
    this.#sampledWall = this.#clock.now()
    const suspended = this.#clock.boot() - this.#sampledAt - this.#base
    if (suspended > this.#suspended + noise) this.#suspended = suspended
  }
}
