/**
 * Runs in Java's nodes: every instance registers the shards that have begun, or have ended, and whoever finds all of
 * them there tells the listeners and takes the folder away, which is the sign for the others. The nodes do not say
 * which run they speak of.
 */
import type { BarrierPhase } from '../events.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** What is registered in a phase. */
export interface Registered {
  /** Whether the folder of both phases exists. */
  readonly hasRoot: boolean
  /** Undefined where the folder of this phase is missing. */
  readonly names: readonly string[] | undefined
  /** The folder goes with every run that is complete: what made it tells one from the next. */
  readonly czxid: bigint | undefined
}

/** Registers shards that are not; nothing if all of them are. */
export function planRegistering(
  { paths }: Member,
  phase: BarrierPhase,
  { hasRoot, names }: Registered,
  shards: readonly number[],
): TransactionPart[] {
  const missing = shards.filter((shard) => names?.includes(String(shard)) !== true)
  if (missing.length === 0) return []
  return [
    ...(hasRoot ? [] : [part.create(paths.guarantee)]),
    ...(names === undefined ? [part.create(paths.guaranteed(phase))] : []),
    ...missing.map((shard) => part.create(paths.guaranteedShard(phase, shard))),
  ]
}

/** Whether somebody has taken away what was registered: the run is complete, or was given up. */
export function isReleased({ names }: Registered, shards: readonly number[]): boolean {
  return shards.some((shard) => names?.includes(String(shard)) !== true)
}

/** The shards that are not registered. Java waits for disabled ones, too, and in vain. */
export function unregistered(view: JobView, total: number, { names }: Registered): number[] {
  const registered = new Set(names)
  const missing: number[] = []
  for (let shard = 0; shard < total; shard++) {
    const isDisabled = view.shards.get(shard)?.disabled === true
    if (!isDisabled && !registered.has(String(shard))) missing.push(shard)
  }
  return missing
}

/** The sign that the run is complete: all that is registered goes, and the folder with it. */
export function planRelease(
  { paths }: Member,
  phase: BarrierPhase,
  { names }: Registered,
): TransactionPart[] {
  if (names === undefined) return []
  const folder = paths.guaranteed(phase)
  return [...names.map((name) => part.delete(`${folder}/${name}`)), part.delete(folder)]
}

/** Takes back what one has registered oneself, and nothing that others wait with. */
export function planWithdrawal(
  { paths }: Member,
  phase: BarrierPhase,
  { names }: Registered,
  shards: readonly number[],
): TransactionPart[] {
  return shards
    .filter((shard) => names?.includes(String(shard)) === true)
    .map((shard) => part.delete(paths.guaranteedShard(phase, shard)))
}
