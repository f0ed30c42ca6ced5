/**
 * Rounds in Java's nodes: every instance registers the items that have begun, or have ended, and whoever
 * finds all of them there tells the listeners and takes the folder away, which is the sign for the others.
 * The nodes do not say which round they speak of.
 */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import type { RoundPhase } from '../events.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'

/** What is registered in a phase. */
export interface Registered {
  /** Whether the folder of both phases exists. */
  readonly hasRoot: boolean
  /** Undefined where the folder of this phase is missing. */
  readonly names: readonly string[] | undefined
  /** The folder goes with every round that is complete: what made it tells one from the next. */
  readonly czxid: bigint | undefined
}

/** Registers items that are not; nothing if all of them are. */
export function planRegistering(
  { paths, make }: Member,
  phase: RoundPhase,
  { hasRoot, names }: Registered,
  items: readonly number[],
): TransactionPart[] {
  const missing = items.filter((item) => names?.includes(String(item)) !== true)
  if (missing.length === 0) return []
  return [
    ...(hasRoot ? [] : [make.persistent(paths.guarantee)]),
    ...(names === undefined ? [make.persistent(paths.guaranteed(phase))] : []),
    ...missing.map((item) => make.persistent(paths.guaranteedItem(phase, item))),
  ]
}

/** Whether somebody has taken away what was registered: the round is complete, or was given up. */
export function isReleased({ names }: Registered, items: readonly number[]): boolean {
  return items.some((item) => names?.includes(String(item)) !== true)
}

/** The items that are not registered. Java waits for disabled ones, too, and in vain. */
export function unregistered(view: JobView, total: number, { names }: Registered): number[] {
  const registered = new Set(names)
  const missing: number[] = []
  for (let item = 0; item < total; item++) {
    const isDisabled = view.items.get(item)?.disabled === true
    if (!isDisabled && !registered.has(String(item))) missing.push(item)
  }
  return missing
}

/** The sign that the round is complete: all that is registered goes, and the folder with it. */
export function planRelease(
  { paths }: Member,
  phase: RoundPhase,
  { names }: Registered,
): TransactionPart[] {
  if (names === undefined) return []
  const folder = paths.guaranteed(phase)
  return [...names.map((name) => part.delete(`${folder}/${name}`)), part.delete(folder)]
}

/** Takes back what one has registered oneself, and nothing that others wait with. */
export function planWithdrawal(
  { paths }: Member,
  phase: RoundPhase,
  { names }: Registered,
  items: readonly number[],
): TransactionPart[] {
  return items
    .filter((item) => names?.includes(String(item)) === true)
    .map((item) => part.delete(paths.guaranteedItem(phase, item)))
}
