/**
 * The registry's data was replaced: wiped, restored from a backup, or a folder of ours deleted. What it had
 * remembered is gone, so nothing is promised across that moment but that everything runs again afterwards.
 */
import type { Span } from './wire-log.ts'

/** Times are the machine's. */
export interface RegistryLoss {
  /** From when on the registry remembers nothing of what was written: the backup's time, or that of the loss. */
  readonly since: number
  /** When the data was replaced. */
  readonly at: number
  /** When everything has to run again. */
  readonly until: number
}

/** Whether the registry's memory was lost between two moments, or is not yet known to be back. */
export function isLostBetween(
  losses: readonly RegistryLoss[],
  one: number,
  other: number,
): boolean {
  const [from, to] = [Math.min(one, other), Math.max(one, other)]
  return losses.some(({ at, until }) => from <= until && at <= to)
}

/** When what was due may have been forgotten: from shortly before the loss, until everything runs again. */
export function forgottenSpan({ at, until }: RegistryLoss, reportTime: number): Span {
  return [at - reportTime, until]
}
