/** How Java assigns shards: the instances come in descending order. */

export function epoch(
  strategy: string,
  instances: readonly string[],
  jobName: string,
  total: number,
): Map<string, number[]> {
  const hash = hashOf(jobName)
  switch (strategy) {
    case 'ODEVITY':
      return evenly(hash % 2 === 0 ? instances.toReversed() : instances, total)
    case 'ROUND_ROBIN': {
      const first = Math.abs(hash) % instances.length
      return evenly([...instances.slice(first), ...instances.slice(0, first)], total)
    }
    default:
      return evenly(instances, total)
  }
}

/** Blocks of the same size; what is left over goes to the first ones, one each. */
function evenly(instances: readonly string[], total: number): Map<string, number[]> {
  const size = Math.floor(total / instances.length)
  const result = new Map<string, number[]>(instances.map((instance) => [instance, []]))
  for (let shard = 0; shard < total; shard++) {
    const block = size === 0 ? instances.length : Math.floor(shard / size)
    const place = block < instances.length ? block : shard - size * instances.length
    result.get(instances[place] as string)?.push(shard)
  }
  return result
}

/** `String.hashCode`. */
function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0
  }
  return hash
}
