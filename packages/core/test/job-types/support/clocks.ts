import { type Clock, systemClock, type Timer } from '../../../src/clock.ts'

/**
 * The machine's clock, but for what takes 5 seconds and more: that waits until a test says that the
 * time has come.
 */
export class SlowClock implements Clock {
  readonly #held = new Set<() => void>()
  #onTimer: (() => void) | undefined
  #onCancel: (() => void) | undefined

  now(): number {
    return systemClock.now()
  }

  monotonic(): number {
    return systemClock.monotonic()
  }

  boot(): number {
    return systemClock.boot()
  }

  afterPoll(callback: () => void): void {
    systemClock.afterPoll(callback)
  }

  setTimer(callback: () => void, milliseconds: number): Timer {
    this.#onTimer?.()
    if (milliseconds < 5_000) return systemClock.setTimer(callback, milliseconds)
    this.#held.add(callback)
    return {
      cancel: () => {
        this.#held.delete(callback)
        this.#onCancel?.()
      },
    }
  }

  get heldTimers(): number {
    return this.#held.size
  }

  /** Resolves when the next timer is set. */
  timerSet(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = resolve
    })
  }

  /** Resolves when the next timer of those that are held is called off. */
  timerCancelled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCancel = resolve
    })
  }

  /** The time has come for all that is held now. */
  release(): void {
    const due = [...this.#held]
    this.#held.clear()
    for (const callback of due) callback()
  }
}

interface Waiting extends Timer {
  readonly at: number
  readonly run: () => void
}

/** A clock on which no time passes unless a test says so. */
export class ManualClock implements Clock {
  #now = 0
  #timers: Waiting[] = []
  #onTimer: (() => void) | undefined

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  boot(): number {
    return this.#now
  }

  setTimer(run: () => void, milliseconds: number): Timer {
    const timer: Waiting = {
      at: this.#now + milliseconds,
      run,
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      },
    }
    this.#timers.push(timer)
    this.#onTimer?.()
    return timer
  }

  afterPoll(callback: () => void): void {
    systemClock.afterPoll(callback)
  }

  get pendingTimers(): number {
    return this.#timers.length
  }

  /** Resolves when the next timer is set. */
  timerSet(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = resolve
    })
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
    for (const timer of this.#timers.filter(({ at }) => at <= this.#now)) {
      timer.cancel()
      timer.run()
    }
  }
}
