/** Whether items have to be dealt out anew, and why. */
import { availableInstances, isDead, type JobView } from '../job-tree/job-view.ts'
import { noEpoch } from '../job-tree/epoch.ts'
import { rememberingHash } from '../short-hash.ts'

/** What a resharding comes from. */
export interface ShardingInputs {
  readonly total: number
  readonly strategy: string
}

export type ReshardingReason =
  | 'instances changed'
  | 'settings changed'
  | 'item without owner'
  | 'item moves on'
  | 'dealt out by another leader'
  | 'surplus item'
  | 'requested'

export interface Need {
  readonly reason: ReshardingReason
  /** Only who takes part has changed: more may come or go, so there is time to wait for it. */
  readonly canWait: boolean
}

/** Two halves: who takes part, and how the items are dealt out among them. */
export function digestOf(
  available: readonly string[],
  { total, strategy }: ShardingInputs,
): string {
  const members = hashOfMembers([...available].toSorted().join('\n'))
  return `${members}.${hashOfSharing(`${total}\n${strategy.toUpperCase()}`)}`
}

// Asked for at every look at a job; those of a process mostly have the same members, and few ways to share.
const hashOfMembers = rememberingHash()
const hashOfSharing = rememberingHash()

/** Undefined if everything is as it should be. */
export function needOf(view: JobView, inputs: ShardingInputs): Need | undefined {
  const epoch = view.epoch?.value ?? noEpoch
  const available = availableInstances(view)
  if (available.length === 0) return undefined
  if (view.necessary !== undefined) return { reason: 'requested', canWait: false }
  const [members, settings] = digestOf(available, inputs).split('.')
  const [membersThen, settingsThen] = epoch.digest.split('.')
  if (settings !== settingsThen && epoch.digest !== '') {
    return { reason: 'settings changed', canWait: false }
  }
  if (members !== membersThen) return { reason: 'instances changed', canWait: true }
  const present = new Set(available)
  for (let item = 0; item < inputs.total; item++) {
    if (isOrphan(view, item, present)) return { reason: 'item without owner', canWait: false }
    if (epoch.moving.has(item) && view.items.get(item)?.running !== true) {
      return { reason: 'item moves on', canWait: false }
    }
    const owner = view.items.get(item)?.owner
    if (owner !== undefined && owner.instance !== epoch.owners[item]) {
      return { reason: 'dealt out by another leader', canWait: false }
    }
  }
  for (const [item, { running }] of view.items) {
    if (item >= inputs.total && !running) return { reason: 'surplus item', canWait: false }
  }
  return undefined
}

/** An item below the total that nobody who may own it owns; one that still runs on a living instance is not. */
export function isOrphan(view: JobView, item: number, available: ReadonlySet<string>): boolean {
  const nodes = view.items.get(item)
  if (nodes?.hasOwner !== true) return true
  const owner = ownerOf(view, item)
  if (owner === undefined) return true
  if (available.has(owner)) return false
  return !nodes.running || isDead(view, owner)
}

/** Java's node where it was read, else what the leader's epoch says. */
export function ownerOf(view: JobView, item: number): string | undefined {
  return view.items.get(item)?.owner?.instance ?? view.epoch?.value.owners[item]
}
