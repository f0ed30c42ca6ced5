/** What belongs to each shard, in its order. */
export function byShard<T extends { readonly jobName: string; readonly shard: number }>(
  all: Iterable<T>,
): Map<string, T[]> {
  const shards = new Map<string, T[]>()
  for (const one of all) {
    const key = `${one.jobName}/${one.shard}`
    const list = shards.get(key)
    if (list === undefined) shards.set(key, [one])
    else list.push(one)
  }
  return shards
}
