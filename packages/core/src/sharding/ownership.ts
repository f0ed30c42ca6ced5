/** Which shards an instance runs, and from which fire time on. */
import { hasJavaLeader } from '../election/deputy.ts'
import { isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import type { FormerOwners } from './former-owners.ts'
import { goesByTurns, turnOf, type TurnSettings } from './turn.ts'

/** How an instance got a shard. */
export interface Ownership {
  /** Fire times up to this moment belong to the previous owner, which stored no shard state for them. */
  readonly since: number
  /** It is the turn of this instance, whichever instance owns the shard. */
  readonly byTurn: boolean
}

type Me = Pick<Member, 'instance' | 'ip'>

export function shardsOf(view: JobView, { instance, ip }: Me, settings: TurnSettings): Set<number> {
  const mine = new Set<number>()
  if (!isServerEnabled(view, ip)) return mine
  const turn = goesByTurns(view, settings) ? turnOf(view) : undefined
  if (turn !== undefined) return turn.instance === instance ? mine.add(0) : mine
  if (view.readsOwners) {
    // Shards beyond the total have no owner, as in Java; a Java leader deletes them when it fires.
    for (const [shard, { owner }] of view.shards) {
      if (owner?.instance === instance && shard < settings.total) mine.add(shard)
    }
    return mine
  }
  for (const [shard, owner] of (view.assignment?.value.owners ?? []).entries()) {
    if (owner === instance) mine.add(shard)
  }
  return mine
}

/** The ownership of a shard that this instance now owns. */
export function ownershipOf(
  view: JobView,
  shard: number,
  { instance }: Me,
  settings: TurnSettings,
  now: number,
  former?: FormerOwners,
): Ownership {
  const turn = goesByTurns(view, settings) ? turnOf(view) : undefined
  if (turn !== undefined) return { since: turn.since, byTurn: true }
  const assignment = view.assignment?.value
  // A native leader has recorded in the shard state which fire times Java ran.
  const byOurs =
    assignment !== undefined && assignment.digest !== '' && assignment.owners[shard] === instance
  if (byOurs && !hasJavaLeader(view)) return { since: 0, byTurn: false }
  if (former?.isStateWhole(shard) === true) return { since: 0, byTurn: false }
  // Java's triggers wait while the flag is up, so fire times from then on belong to the new owner.
  return { since: view.lastFlag === undefined ? now : view.lastFlag - 1, byTurn: false }
}
