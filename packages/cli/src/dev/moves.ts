/** Detects shards that changed their owner between two polls. */
import type { JobDetail } from '@elasticjob/core/operations'

type Owners = ReadonlyMap<number, string>

export class Moves {
  readonly #owners = new Map<string, Owners>()

  /** The shards of each job with a new owner; empty for a job that is seen for the first time. */
  see(jobs: readonly JobDetail[]): ReadonlyMap<string, readonly number[]> {
    const moved = new Map<string, readonly number[]>()
    for (const { jobName, shards } of jobs) {
      const before = this.#owners.get(jobName)
      const owners = new Map<number, string>(before)
      for (const { shard: shardingItem, owner } of shards)
        if (owner !== undefined) owners.set(shardingItem, owner)
      const others = [...owners.keys()].filter(
        (shardingItem) =>
          before?.has(shardingItem) === true &&
          before.get(shardingItem) !== owners.get(shardingItem),
      )
      if (others.length > 0) moved.set(jobName, others)
      this.#owners.set(jobName, owners)
    }
    return moved
  }
}

/** `shards moved: sync-orders 2 3, tidy-up 1` */
export function movesText(moved: ReadonlyMap<string, readonly number[]>): string {
  const parts = [...moved].map(
    ([jobName, shardingItems]) => `${jobName} ${shardingItems.join(' ')}`,
  )
  return `shards moved: ${parts.join(', ')}`
}
