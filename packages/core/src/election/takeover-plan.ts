/**
 * A Java leader that is registered but never scheduled leaves `necessary` up forever, and all instances wait for it.
 * After a deadline a native instance takes over the leadership.
 */
import type { FireTimes } from '../fire-times/due.ts'
import type { JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { hasJavaLeader, ourCandidates } from './deputy.ts'
import { planCandidacy } from './plan.ts'

/** The minimum time that a Java leader has, in milliseconds. */
const leastWait = 60_000
/** A Java leader assigns shards when it fires: this many fire times must pass without an assignment. */
const periods = 3
/** The delay between the attempts of two native instances. */
const apart = 1000
/** Java creates the leader node and never sets it. */
const javaLeaderVersion = 0

export interface TakeoverContext {
  readonly now: number
  readonly fires: FireTimes | undefined
  /** If it is off, instances cannot know whether a shard is running. */
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
  // The leader may rightly wait for this run, whose end is an event.
  for (const { running } of view.shards.values()) if (running) return nothing
  const limit = deadline(view, view.necessary.ctime, fires)
  if (limit === undefined) return nothing
  const until = limit + rank * apart
  return now < until ? { do: 'wait', until } : { do: 'take over' }
}

/** Without a fire time or a manual run a Java leader has no reason to assign shards: then it is not stuck. */
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

/** One transaction inside the latch replaces the Java leader with this instance, if the flag is still up. */
export function planTakingOver(view: JobView, me: Member, latchNode: string): TransactionPart[] {
  return [
    part.check(me.paths.necessary),
    part.delete(me.paths.leaderInstance, javaLeaderVersion),
    ...planCandidacy(view, me, latchNode),
  ]
}
