/**
 * The barrier in Java's nodes. Every instance registers the shards that have begun or ended. The instance that finds
 * all shards registered calls the listeners and deletes the folder; the deletion releases the other instances. The
 * nodes do not identify the run.
 */
import type { BarrierPhase } from '../events.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** The registered shards of a phase. */
export interface Registered {
  /** Whether the folder of both phases exists. */
  readonly hasRoot: boolean
  /** Undefined where the folder of this phase is missing. */
  readonly names: readonly string[] | undefined
  /**
   * The creating transaction of the folder. Every complete run deletes the folder, so the id distinguishes one run from
   * the next.
   */
  readonly czxid: bigint | undefined
}

/** Registers the shards that are not registered yet; empty if all are. */
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

/** Whether another instance deleted the registrations: the run is complete or was given up. */
export function isReleased({ names }: Registered, shards: readonly number[]): boolean {
  return shards.some((shard) => names?.includes(String(shard)) !== true)
}

/** The enabled shards that are not registered. Java also waits for disabled shards, in vain. */
export function unregistered(view: JobView, total: number, { names }: Registered): number[] {
  const registered = new Set(names)
  const missing: number[] = []
  for (let shard = 0; shard < total; shard++) {
    const isDisabled = view.shards.get(shard)?.disabled === true
    if (!isDisabled && !registered.has(String(shard))) missing.push(shard)
  }
  return missing
}

/** Deletes all registrations and the folder, which signals that the run is complete. */
export function planRelease(
  { paths }: Member,
  phase: BarrierPhase,
  { names }: Registered,
): TransactionPart[] {
  if (names === undefined) return []
  const folder = paths.guaranteed(phase)
  return [...names.map((name) => part.delete(`${folder}/${name}`)), part.delete(folder)]
}

/** Deletes only the given shards' registrations; other instances still wait with theirs. */
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
