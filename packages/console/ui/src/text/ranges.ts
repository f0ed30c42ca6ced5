/** `0-3, 7`: consecutive numbers are written as ranges. */
export function ranges(shards: readonly number[]): string {
  const sorted = [...new Set(shards)].toSorted((a, b) => a - b)
  const parts: { first: number; last: number }[] = []
  for (const shard of sorted) {
    const part = parts.at(-1)
    if (part !== undefined && part.last === shard - 1) part.last = shard
    else parts.push({ first: shard, last: shard })
  }
  return parts
    .map(({ first, last }) => {
      if (first === last) return String(first)
      return last === first + 1 ? `${first}, ${last}` : `${first}–${last}`
    })
    .join(', ')
}
