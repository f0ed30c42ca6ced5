/**
 * The machine's time in milliseconds since 1970, in fractions. Node has the origin of its precise clock
 * from when the process began, and machines correct their time since: whoever compares with another
 * process sets a clock of its own just before.
 */
export class WallClock {
  #origin = 0

  constructor() {
    this.set()
  }

  /** Waits, for a millisecond at most, until the coarse clock moves on: that is when it is exact. */
  set(): void {
    const before = Date.now()
    let now = before
    while (now === before) now = Date.now()
    this.#origin = now - performance.now()
  }

  now(): number {
    return this.#origin + performance.now()
  }
}
