/** The middle of an odd number of values, the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('there is no median of nothing')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** How far the values lie apart, as a share of their median: the noise of a measurement. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

/** The elements from `by` on, then those before: so that nobody is always the first. */
export function rotated<T>(elements: readonly T[], by: number): T[] {
  const at = elements.length === 0 ? 0 : by % elements.length
  return [...elements.slice(at), ...elements.slice(0, at)]
}
