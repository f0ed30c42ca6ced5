import type { Random } from '../random.ts'

export interface BackoffOptions {
  /** The first delay, in milliseconds. */
  readonly initialDelay: number
  /** The longest delay, in milliseconds. */
  readonly maxDelay: number
}

/**
 * The delay before the next round of attempts: doubles each time up to a limit, with jitter, so that the
 * clients of a restarted server do not all reconnect at once.
 */
export function backoffDelay(round: number, options: BackoffOptions, random: Random): number {
  if (round <= 0) return 0
  const ceiling = Math.min(options.initialDelay * 2 ** Math.min(round - 1, 30), options.maxDelay)
  return ceiling * (0.5 + random.fraction() / 2)
}
