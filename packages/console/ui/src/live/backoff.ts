const first = 500
const longest = 10_000

/**
 * The delay before the next attempt: it grows with each attempt, with jitter, so that pages do not all reconnect at
 * once.
 */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(longest, first * 2 ** attempt)
  return Math.round(full / 2 + (random() * full) / 2)
}
