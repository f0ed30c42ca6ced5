/**
 * Parses `0, 2, 5-7` into numbers below `total`; undefined if it is invalid. An empty text means all: an empty list.
 */
export function parseShards(text: string, total: number): number[] | undefined {
  const shards = new Set<number>()
  for (const part of text.split(/[\s,，、]+/u).filter((each) => each !== '')) {
    const found = /^(\d+)(?:[-–](\d+))?$/u.exec(part)
    if (found === null) return undefined
    const first = Number(found[1])
    const last = Number(found[2] ?? found[1])
    if (last < first || last >= total) return undefined
    for (let shard = first; shard <= last; shard++) shards.add(shard)
  }
  return [...shards].toSorted((a, b) => a - b)
}
