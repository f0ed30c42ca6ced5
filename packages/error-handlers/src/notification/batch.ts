import type { RunFailure } from '@elasticjob/core'

import { errorTextOf } from './error-text.ts'
import type { FailureGroup, Notification } from './notification.ts'

/** The maximum number of different errors in one message. */
const mostGroups = 5
const mostItems = 20

/** The failures of one job for one message; its size does not grow with their number. */
export class Batch {
  readonly #groups = new Map<string, FailureGroup>()
  #count = 0
  #others = 0
  #since = 0
  #until = 0

  get count(): number {
    return this.#count
  }

  add({ run, error }: RunFailure, now: number): void {
    if (this.#count === 0) this.#since = now
    this.#until = now
    this.#count += 1
    const text = errorTextOf(error)
    const key = `${text.name}: ${text.message}`
    const known = this.#groups.get(key)
    if (known === undefined && this.#groups.size === mostGroups) {
      this.#others += 1
      return
    }
    const { count, shards } = known ?? { count: 0, shards: [] }
    this.#groups.set(key, {
      error: known?.error ?? text,
      count: count + 1,
      shards: withItem(shards, run.shardingItem),
      run,
    })
  }

  notificationFor(jobName: string, untold: number): Notification {
    return {
      jobName,
      count: this.#count,
      since: this.#since,
      until: this.#until,
      groups: [...this.#groups.values()],
      others: this.#others,
      untold,
    }
  }
}

function withItem(shards: readonly number[], shard: number): readonly number[] {
  if (shards.includes(shard) || shards.length === mostItems) return shards
  return [...shards, shard].toSorted((a, b) => a - b)
}
