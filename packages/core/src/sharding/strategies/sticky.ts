import type { ShardingStrategy } from './strategy.ts'

/**
 * Moves as few items as possible: whoever has some keeps them, up to its fair share, and only what
 * is beyond that, or has no living owner, goes to those who have too little.
 */
export const sticky: ShardingStrategy = Object.freeze({
  type: 'STICKY',
  shard: (
    instances: readonly string[],
    _jobName: string,
    total: number,
    previous: ReadonlyMap<number, string>,
  ) => {
    const owned = ownedBy(instances, total, previous)
    const shares = sharesOf(owned, total)
    const result = new Map<string, number[]>()
    const kept = new Set<number>()
    for (const [instance, items] of owned) {
      const keeps = items.slice(0, shares.get(instance))
      result.set(instance, keeps)
      for (const item of keeps) kept.add(item)
    }
    const free = Array.from({ length: total }, (_, item) => item).filter((item) => !kept.has(item))
    for (const [instance, items] of result) {
      const missing = (shares.get(instance) as number) - items.length
      items.push(...free.splice(0, missing))
      items.sort((one, other) => one - other)
    }
    return result
  },
})

function ownedBy(
  instances: readonly string[],
  total: number,
  previous: ReadonlyMap<number, string>,
): Map<string, number[]> {
  const owned = new Map<string, number[]>(instances.map((instance) => [instance, []]))
  for (let item = 0; item < total; item++) {
    const owner = previous.get(item)
    if (owner !== undefined) owned.get(owner)?.push(item)
  }
  return owned
}

/** The larger shares go to those who have the most: any other choice would move one item more. */
function sharesOf(
  owned: ReadonlyMap<string, readonly number[]>,
  total: number,
): Map<string, number> {
  const share = Math.floor(total / owned.size)
  const larger = total % owned.size
  const byWealth = [...owned].toSorted(([, one], [, other]) => other.length - one.length)
  return new Map(byWealth.map(([instance], rank) => [instance, rank < larger ? share + 1 : share]))
}
