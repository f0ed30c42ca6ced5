/** Milliseconds since 1970, in fractions: a fire is late by less than one. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}

/** The value below which such a share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

/** What this process has used of a core since then, in seconds. */
export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Objects on the heap and buffers outside it, in bytes. Needs `--expose-gc`. */
export function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
