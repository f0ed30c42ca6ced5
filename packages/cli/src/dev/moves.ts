/** Items that have changed hands between two looks at the registry. */
import type { JobDetail } from '@elasticjob/core'

type Owners = ReadonlyMap<number, string>

export class Moves {
  readonly #owners = new Map<string, Owners>()

  /** The items of each job that others have now; nothing of a job that is seen for the first time. */
  see(jobs: readonly JobDetail[]): ReadonlyMap<string, readonly number[]> {
    const moved = new Map<string, readonly number[]>()
    for (const { jobName, shards } of jobs) {
      const before = this.#owners.get(jobName)
      const owners = new Map<number, string>(before)
      for (const { item, owner } of shards) if (owner !== undefined) owners.set(item, owner)
      const others = [...owners.keys()].filter(
        (item) => before?.has(item) === true && before.get(item) !== owners.get(item),
      )
      if (others.length > 0) moved.set(jobName, others)
      this.#owners.set(jobName, owners)
    }
    return moved
  }
}

/** `items have moved: sync-orders 2 3, tidy-up 1` */
export function movesText(moved: ReadonlyMap<string, readonly number[]>): string {
  const parts = [...moved].map(([jobName, items]) => `${jobName} ${items.join(' ')}`)
  return `items have moved: ${parts.join(', ')}`
}
