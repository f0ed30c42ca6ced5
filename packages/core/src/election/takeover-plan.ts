/**
 * A Java leader that is registered and never scheduled keeps `necessary` up for ever, and everybody
 * waits for it. When that has lasted too long, one of ours takes the lead.
 */
import type { FireTimes } from '../fire-times/due.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { hasJavaLeader, ourCandidates } from './deputy.ts'
import { planCandidacy } from './plan.ts'

/** The least time a Java leader gets, in milliseconds. */
const leastWait = 60_000
/** Java assigns when it fires: so many times must have gone by without it. */
const periods = 3
/** How far apart instances try. */
const apart = 1000
/** Java creates the leader node and never sets it. */
const javaLeaderVersion = 0

export interface TakeoverContext {
  readonly now: number
  readonly fires: FireTimes | undefined
  /** With it off nobody can know whether something runs. */
  readonly monitorExecution: boolean
}

export type TakeoverDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'take over' }

const nothing: TakeoverDecision = { do: 'nothing' }

export function planTakeover(
  view: JobView,
  me: Member,
  { now, fires, monitorExecution }: TakeoverContext,
): TakeoverDecision {
  if (view.necessary === undefined || !hasJavaLeader(view) || !monitorExecution) return nothing
  const rank = ourCandidates(view).indexOf(me.instance)
  if (rank === -1) return nothing
  // The leader may rightly wait for it; its end is an event.
  for (const { running } of view.shards.values()) if (running) return nothing
  const limit = deadline(view, view.necessary.ctime, fires)
  if (limit === undefined) return nothing
  const until = limit + rank * apart
  return now < until ? { do: 'wait', until } : { do: 'take over' }
}

/** Without a fire, or a manual run, a Java leader has nothing to assign for: then it is not stuck. */
function deadline(view: JobView, raised: number, fires: FireTimes | undefined): number | undefined {
  if (fires === undefined) {
    const asked = view.jobState?.value.running?.asked
    return asked === undefined ? undefined : Math.max(asked, raised) + leastWait
  }
  const first = fires.nextAfter(raised)
  let last = first
  for (let period = 0; period < periods && last !== undefined; period++)
    last = fires.nextAfter(last)
  return first === undefined || last === undefined ? undefined : Math.max(first + leastWait, last)
}

/** In the latch, one transaction: Java's leader goes and we come, if the flag is still up. */
export function planTakingOver(view: JobView, me: Member, latchNode: string): TransactionPart[] {
  return [
    part.check(me.paths.necessary),
    part.delete(me.paths.leaderInstance, javaLeaderVersion),
    ...planCandidacy(view, me, latchNode),
  ]
}
