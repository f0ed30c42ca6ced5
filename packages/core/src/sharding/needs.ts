/** Whether a job needs resharding, and why. */
import { availableInstances, isDead, type JobView } from '../job-tree/job-view.ts'
import { noAssignment } from '../job-tree/stored-assignment.ts'
import { rememberingHash } from '../short-hash.ts'

/** The inputs of a resharding beside the instances. */
export interface ShardingInputs {
  readonly total: number
  readonly strategy: string
}

export type ReshardingReason =
  | 'instances changed'
  | 'settings changed'
  | 'shard without owner'
  | 'shard moves on'
  | 'assigned by another leader'
  | 'surplus shard'
  | 'requested'

export interface Need {
  readonly reason: ReshardingReason
  /** Only the set of instances has changed. More may join or leave, so the leader can wait and reshard once. */
  readonly canWait: boolean
}

/** Two halves: a hash of the instances, and a hash of the shard count and strategy. */
export function digestOf(
  available: readonly string[],
  { total, strategy }: ShardingInputs,
): string {
  const members = hashOfMembers([...available].toSorted().join('\n'))
  return `${members}.${hashOfSharing(`${total}\n${strategy.toUpperCase()}`)}`
}

// Computed at every check of a job. Most jobs of a process have the same instances, and few combinations of settings.
const hashOfMembers = rememberingHash()
const hashOfSharing = rememberingHash()

/** Undefined if the assignment is up to date. */
export function needOf(view: JobView, inputs: ShardingInputs): Need | undefined {
  const assignment = view.assignment?.value ?? noAssignment
  const available = availableInstances(view)
  if (available.length === 0) return undefined
  if (view.necessary !== undefined) return { reason: 'requested', canWait: false }
  const [members, settings] = digestOf(available, inputs).split('.')
  const [membersThen, settingsThen] = assignment.digest.split('.')
  if (settings !== settingsThen && assignment.digest !== '') {
    return { reason: 'settings changed', canWait: false }
  }
  if (members !== membersThen) return { reason: 'instances changed', canWait: true }
  const present = new Set(available)
  for (let shard = 0; shard < inputs.total; shard++) {
    if (isOrphan(view, shard, present)) return { reason: 'shard without owner', canWait: false }
    if (assignment.moving.has(shard) && view.shards.get(shard)?.running !== true) {
      return { reason: 'shard moves on', canWait: false }
    }
    const owner = view.shards.get(shard)?.owner
    if (owner !== undefined && owner.instance !== assignment.owners[shard]) {
      return { reason: 'assigned by another leader', canWait: false }
    }
  }
  for (const [shard, { running }] of view.shards) {
    if (shard >= inputs.total && !running) return { reason: 'surplus shard', canWait: false }
  }
  return undefined
}

/**
 * Whether a shard below the total has no available owner. A shard that still runs on a living instance is not an
 * orphan.
 */
export function isOrphan(view: JobView, shard: number, available: ReadonlySet<string>): boolean {
  const nodes = view.shards.get(shard)
  if (nodes?.hasOwner !== true) return true
  const owner = ownerOf(view, shard)
  if (owner === undefined) return true
  if (available.has(owner)) return false
  return !nodes.running || isDead(view, owner)
}

/** The owner by Java's node if the replica reads it, else by the assignment. */
export function ownerOf(view: JobView, shard: number): string | undefined {
  return view.shards.get(shard)?.owner?.instance ?? view.assignment?.value.owners[shard]
}
