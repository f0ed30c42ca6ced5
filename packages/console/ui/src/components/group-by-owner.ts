import type { JobDetail, JobInstance, Shard } from '../../../src/contract/jobs.ts'

export interface ShardGroup {
  /** Undefined for shards without an owner. */
  readonly owner: string | undefined
  /** Undefined for an owner that is gone. */
  readonly instance: JobInstance | undefined
  readonly shards: readonly Shard[]
}

/**
 * Live instances first, in order, including those without shards; then owners that are gone; shards without an owner
 * last. A shard that was taken over is shown with the instance that runs it.
 */
export function groupByOwner({ shards, instances }: JobDetail): ShardGroup[] {
  const byOwner = new Map<string | undefined, Shard[]>()
  for (const { instance } of instances) byOwner.set(instance, [])
  for (const shard of shards) {
    const holder = shard.failover ?? shard.owner
    const group = byOwner.get(holder)
    if (group === undefined) byOwner.set(holder, [shard])
    else group.push(shard)
  }
  const known = new Map(instances.map((each) => [each.instance, each]))
  const groups = [...byOwner].map(([owner, some]) => ({
    owner,
    instance: owner === undefined ? undefined : known.get(owner),
    shards: some,
  }))
  return groups.toSorted((a, b) => rank(a) - rank(b) || compare(a.owner ?? '', b.owner ?? ''))
}

function rank({ owner, instance }: ShardGroup): number {
  if (owner === undefined) return 2
  return instance === undefined ? 1 : 0
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
