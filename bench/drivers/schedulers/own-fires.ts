/** A fire as the process sees it: from its time to the answer that ends it. */
import type { ElasticJob } from '@elasticjob/core'
import { type Clock, systemClock } from '@elasticjob/zookeeper'

export class OwnFires {
  /** When the scheduler first saw its clock show each second: a timer that is late is not part of a fire. */
  readonly #reached = new Map<number, number>()
  #second = 0
  /** When the registry knew the last end, by scheduled time. */
  readonly #recorded = new Map<number, number>()
  #wanted: (() => void) | undefined

  /** The machine's clock, and what it shows is noticed. */
  get clock(): Clock {
    return {
      ...systemClock,
      now: () => {
        const now = systemClock.now()
        if (now >= this.#second + 1000) {
          this.#second = now - (now % 1000)
          this.#reached.set(this.#second, performance.now())
        }
        return now
      },
    }
  }

  follow(jobs: ElasticJob): void {
    jobs.on('run:recorded', ({ fireTime }) => {
      this.#recorded.set(fireTime, performance.now())
      this.#wanted?.()
    })
  }

  /** How long so many fires took from now on; the last one is left out, for it may not be over. */
  async next(count: number): Promise<number[]> {
    this.#reached.clear()
    this.#recorded.clear()
    await new Promise<void>((resolve) => {
      this.#wanted = () => {
        if (this.#recorded.size > count) resolve()
      }
    })
    this.#wanted = undefined
    return [...this.#recorded].slice(0, count).flatMap(([fireTime, recorded]) => {
      const reached = this.#reached.get(fireTime)
      return reached === undefined ? [] : [recorded - reached]
    })
  }
}
