import type { ShardingStrategy } from './strategy.ts'

/**
 * Moves as few shards as possible. Each instance keeps its shards up to its fair share. Only shards beyond that share,
 * or without a living owner, go to instances below their share.
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
    for (const [instance, shards] of owned) {
      const keeps = shards.slice(0, shares.get(instance))
      result.set(instance, keeps)
      for (const shard of keeps) kept.add(shard)
    }
    const free = Array.from({ length: total }, (_, shard) => shard).filter(
      (shard) => !kept.has(shard),
    )
    for (const [instance, shards] of result) {
      const missing = (shares.get(instance) as number) - shards.length
      shards.push(...free.splice(0, missing))
      shards.sort((one, other) => one - other)
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
  for (let shard = 0; shard < total; shard++) {
    const owner = previous.get(shard)
    if (owner !== undefined) owned.get(owner)?.push(shard)
  }
  return owned
}

/** The larger shares go to the instances with the most shards: any other choice would move one shard more. */
function sharesOf(
  owned: ReadonlyMap<string, readonly number[]>,
  total: number,
): Map<string, number> {
  const share = Math.floor(total / owned.size)
  const larger = total % owned.size
  const byWealth = [...owned].toSorted(([, one], [, other]) => other.length - one.length)
  return new Map(byWealth.map(([instance], rank) => [instance, rank < larger ? share + 1 : share]))
}
