const first = 500
const longest = 10_000

/** How long to wait before the next attempt: longer each time, and never the same for all pages. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(longest, first * 2 ** attempt)
  return Math.round(full / 2 + (random() * full) / 2)
}
