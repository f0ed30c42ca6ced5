/** Which shards are an instance's to run, and what of the past is none of its business. */
import { hasJavaLeader } from '../election/deputy.ts'
import { isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import type { FormerOwners } from './former-owners.ts'
import { goesByTurns, turnOf, type TurnSettings } from './turn.ts'

/** How a shard came to an instance. */
export interface Ownership {
  /** Nothing that was scheduled until then is due here: it was somebody else's, who wrote no state. */
  readonly since: number
  /** It is our turn, whoever owns the shard. */
  readonly byTurn: boolean
}

type Me = Pick<Member, 'instance' | 'ip'>

export function shardsOf(view: JobView, { instance, ip }: Me, settings: TurnSettings): Set<number> {
  const mine = new Set<number>()
  if (!isServerEnabled(view, ip)) return mine
  const turn = goesByTurns(view, settings) ? turnOf(view) : undefined
  if (turn !== undefined) return turn.instance === instance ? mine.add(0) : mine
  if (view.readsOwners) {
    // Shards beyond the total are nobody's, as for Java: its leader takes them away when it fires.
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

/** A shard that is ours from now on. */
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
  // A leader of ours has seen to it that the shard state knows what Java ran.
  const byOurs =
    assignment !== undefined && assignment.digest !== '' && assignment.owners[shard] === instance
  if (byOurs && !hasJavaLeader(view)) return { since: 0, byTurn: false }
  if (former?.isStateWhole(shard) === true) return { since: 0, byTurn: false }
  // Java's triggers sleep while the flag is up: what is scheduled from then on is for the new owner.
  return { since: view.lastFlag === undefined ? now : view.lastFlag - 1, byTurn: false }
}
