import type { Clock, Timer } from '@elasticjob/core'

interface Waiting {
  readonly at: number
  readonly run: () => void
}

/** A clock that moves when it is told to, and gives others their turn when it is told to. */
export class SteppingClock implements Clock {
  #now = 1_000_000
  readonly #timers = new Set<Waiting>()
  #turns: (() => void)[] = []
  #waitsForTurn: (() => void) | undefined

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
    const timer = { at: this.#now + milliseconds, run }
    this.#timers.add(timer)
    return { cancel: () => this.#timers.delete(timer) }
  }

  afterPoll(callback: () => void): void {
    this.#turns.push(callback)
    this.#waitsForTurn?.()
  }

  /** How long until each timer is due. */
  get waits(): number[] {
    return [...this.#timers].map(({ at }) => at - this.#now)
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer)
      timer.run()
    }
  }

  /** Resolves when somebody lets others have their turn. */
  async turnIsOffered(): Promise<void> {
    if (this.#turns.length > 0) return
    await new Promise<void>((resolve) => {
      this.#waitsForTurn = resolve
    })
    this.#waitsForTurn = undefined
  }

  /** The others have had their turn. */
  takeTurn(): void {
    for (const go of this.#turns.splice(0)) go()
  }
}
