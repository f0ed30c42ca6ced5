/** A fire as the process sees it: from its time to the answer that ends it. */
import type { ElasticJob } from '@elasticjob/core'
import { type Clock, systemClock } from '@elasticjob/zookeeper'
import type { FireTimes } from './contract.ts'
import { followTransactions, type Transaction } from './transactions.ts'

/** No claim goes out longer than that before its time, in milliseconds. */
const longestLead = 100

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
  async next(count: number): Promise<FireTimes> {
    const transactions = followTransactions()
    this.#reached.clear()
    this.#recorded.clear()
    await new Promise<void>((resolve) => {
      this.#wanted = () => {
        if (this.#recorded.size > count) resolve()
      }
    })
    this.#wanted = undefined
    transactions.stop()
    const fires = [...this.#recorded].slice(0, count).flatMap(([fireTime, recorded]) => {
      const reached = this.#reached.get(fireTime)
      if (reached === undefined) return []
      const sinceDue = recorded - reached
      return [{ sinceDue, withClaim: sinceDue + claimBefore(reached, transactions.all) }]
    })
    return {
      sinceDue: fires.map((fire) => fire.sinceDue),
      withClaim: fires.map((fire) => fire.withClaim),
    }
  }
}

/** How long the claim of a fire was under way before its time. */
function claimBefore(reached: number, transactions: readonly Transaction[]): number {
  const claim = transactions.findLast(({ begun }) => begun < reached)
  if (claim === undefined || claim.begun < reached - longestLead) return 0
  return Math.min(claim.answered, reached) - claim.begun
}
