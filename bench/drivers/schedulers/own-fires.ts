/** A fire as the process sees it: from its timer to the answer that ends it. */
import type { ElasticJob } from '@elasticjob/core'
import { type Clock, systemClock } from '@elasticjob/zookeeper'
import type { WallClock } from './wall-clock.ts'

/**
 * A timer that rings so many milliseconds before a scheduled time or after it is that of the fire. Before
 * it, because the scheduler looks at the clock itself for the last of them. What is left of a fire begins
 * at its time then, and with the timer if that was late.
 */
const earliest = -6
const latest = 100

export class OwnFires {
  readonly #clock: WallClock
  /** When timers rang, in order. */
  #rings: number[] = []
  /** When the registry knew the last end, by scheduled time. */
  readonly #recorded = new Map<number, number>()
  #told = 0
  #wanted: (() => void) | undefined

  constructor(clock: WallClock) {
    this.#clock = clock
  }

  /** The machine's clock, whose timers are noticed. */
  get clock(): Clock {
    return {
      ...systemClock,
      setTimer: (callback, milliseconds) =>
        systemClock.setTimer(() => {
          this.#rings.push(this.#clock.now())
          callback()
        }, milliseconds),
    }
  }

  follow(jobs: ElasticJob): void {
    jobs.on('run:recorded', ({ fireTime }) => {
      const isNew = !this.#recorded.has(fireTime)
      this.#recorded.set(fireTime, this.#clock.now())
      if (isNew) this.#told += 1
      this.#wanted?.()
    })
  }

  /** How long so many fires took from now on; the last one is left out, for it may not be over. */
  async next(count: number): Promise<number[]> {
    this.#rings = []
    this.#recorded.clear()
    this.#told = 0
    await new Promise<void>((resolve) => {
      this.#wanted = () => {
        if (this.#told > count) resolve()
      }
    })
    this.#wanted = undefined
    return [...this.#recorded].slice(0, count).flatMap(([fireTime, recorded]) => {
      const woken = this.#rings.find((at) => at >= fireTime + earliest && at <= fireTime + latest)
      return woken === undefined ? [] : [recorded - Math.max(woken, fireTime)]
    })
  }
}
