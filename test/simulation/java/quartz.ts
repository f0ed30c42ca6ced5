/**
 * Java's scheduler for one job: one worker, so that what falls due while it works is noticed only when
 * it is done, and then only as one misfire.
 */
import type { Clock, Timer } from '@elasticjob/zookeeper'

export interface QuartzHost {
  readonly clock: Clock
  /** One execution; the worker is busy until it ends. `isFire`: a scheduled time has come. */
  execute(isFire: boolean): Promise<void>
  /** Times have passed without an execution. */
  misfired(): Promise<void>
}

/** A time that is over by more than this when the worker is free is a misfire. */
const threshold = 1

export class Quartz {
  readonly #host: QuartzHost
  #period = 0
  #next: number | undefined
  #hasFired = false
  #asked = 0
  #isBusy = false
  #isPaused = false
  #isShutDown = false
  #timer: Timer | undefined
  #whenFree: (() => void)[] = []

  constructor(host: QuartzHost) {
    this.#host = host
  }

  schedule(period: number): void {
    this.#period = period
    this.#next = this.#after(this.#host.clock.now())
    this.#look()
  }

  /** Once more, as soon as the worker is free. */
  trigger(): void {
    this.#asked += 1
    this.#look()
  }

  pause(): void {
    this.#isPaused = true
  }

  /** What passed meanwhile is a misfire. */
  async resume(): Promise<void> {
    this.#isPaused = false
    if (!this.#isBusy) await this.#applyMisfire()
    this.#look()
  }

  /** Resolves when the worker is free; it begins nothing any more. */
  shutDown(): Promise<void> {
    this.#isShutDown = true
    this.#timer?.cancel()
    if (!this.#isBusy) return Promise.resolve()
    return new Promise((resolve) => this.#whenFree.push(resolve))
  }

  #after(time: number): number {
    return (Math.floor(time / this.#period) + 1) * this.#period
  }

  #look(): void {
    this.#timer?.cancel()
    if (this.#isBusy || this.#isPaused || this.#isShutDown) return
    if (this.#asked > 0) {
      this.#asked -= 1
      void this.#work(false)
    } else if (this.#next !== undefined) {
      const delay = this.#next - this.#host.clock.now()
      this.#timer = this.#host.clock.setTimer(() => this.#reached(), delay)
    }
  }

  /** A time that the worker has waited for is fired however late it is. */
  #reached(): void {
    if (this.#isBusy || this.#isPaused || this.#isShutDown || this.#next === undefined) return
    const now = this.#host.clock.now()
    if (now < this.#next) {
      this.#look()
      return
    }
    this.#hasFired = true
    this.#next = this.#after(this.#next)
    void this.#work(true)
  }

  async #work(isFire: boolean): Promise<void> {
    this.#isBusy = true
    try {
      await this.#host.execute(isFire)
      await this.#applyMisfire()
    } finally {
      this.#isBusy = false
      for (const free of this.#whenFree.splice(0)) free()
    }
    this.#look()
  }

  async #applyMisfire(): Promise<void> {
    const now = this.#host.clock.now()
    if (this.#next === undefined || this.#next >= now - threshold) return
    this.#next = this.#after(now)
    // Before the first fire nobody hears of it.
    if (this.#hasFired) await this.#host.misfired()
  }
}
