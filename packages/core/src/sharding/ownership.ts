/** Which items are an instance's to run, and what of the past is none of its business. */
import { hasJavaLeader } from '../election/deputy.ts'
import { isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { goesByTurns, turnOf, type TurnSettings } from './turn.ts'

/** How an item came to an instance. */
export interface Ownership {
  /** Nothing that was scheduled until then is due here: it was somebody else's, who wrote no word. */
  readonly since: number
  /** It is our turn, whoever owns the item. */
  readonly byTurn: boolean
}

type Me = Pick<Member, 'instance' | 'ip'>

export function itemsOf(view: JobView, { instance, ip }: Me, settings: TurnSettings): Set<number> {
  const mine = new Set<number>()
  if (!isServerEnabled(view, ip)) return mine
  const turn = goesByTurns(view, settings) ? turnOf(view) : undefined
  if (turn !== undefined) return turn.instance === instance ? mine.add(0) : mine
  if (view.readsOwners) {
    // Items beyond the total are nobody's, as for Java: its leader takes them away when it fires.
    for (const [item, { owner }] of view.items) {
      if (owner?.instance === instance && item < settings.total) mine.add(item)
    }
    return mine
  }
  for (const [item, owner] of (view.epoch?.value.owners ?? []).entries()) {
    if (owner === instance) mine.add(item)
  }
  return mine
}

/** An item that is ours from now on. */
export function ownershipOf(
  view: JobView,
  item: number,
  { instance }: Me,
  settings: TurnSettings,
  now: number,
): Ownership {
  const turn = goesByTurns(view, settings) ? turnOf(view) : undefined
  if (turn !== undefined) return { since: turn.since, byTurn: true }
  const epoch = view.epoch?.value
  // A leader of ours has seen to it that the item's word knows what Java ran.
  const byOurs = epoch !== undefined && epoch.digest !== '' && epoch.owners[item] === instance
  if (byOurs && !hasJavaLeader(view)) return { since: 0, byTurn: false }
  // Java's triggers sleep while the flag is up: what is scheduled from then on is for the new owner.
  return { since: view.lastFlag === undefined ? now : view.lastFlag - 1, byTurn: false }
}
