import type { RunFailure } from '@elasticjob/core'

import { errorTextOf } from './error-text.ts'
import type { FailureGroup, Notice } from './notice.ts'

/** A message that names more errors than this is read by nobody. */
const mostGroups = 5
const mostItems = 20

/** Failures of one job that are told together; however many they are, it takes the same room. */
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
    const { count, items } = known ?? { count: 0, items: [] }
    this.#groups.set(key, {
      error: known?.error ?? text,
      count: count + 1,
      items: withItem(items, run.shardingItem),
      run,
    })
  }

  noticeFor(jobName: string, untold: number): Notice {
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

function withItem(items: readonly number[], item: number): readonly number[] {
  if (items.includes(item) || items.length === mostItems) return items
  return [...items, item].toSorted((a, b) => a - b)
}
