/** The middle of an odd number of values, the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('there is no median of nothing')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** The value that such a share of all values does not exceed; of few values a high share is the largest. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('there is no quantile of nothing')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] as number
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
