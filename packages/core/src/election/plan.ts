/**
 * Elects the leader. In native mode the creation of the leader node is the election, and the instances try it in the
 * order of their rank. In mixed mode the election happens inside Curator's latch, as in Java.
 */
import { encodeAssignment, noAssignment } from '../job-tree/stored-assignment.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { isMixed, isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { inheritedAssignment } from './inherit.ts'

/** The delay between the attempts of two instances, so that not all instances try at once when a leader dies. */
const apart = 50
/** How long an instance on a paused server leaves the election to instances that are not paused. */
const pausedWait = 1000

const none: ReadonlySet<string> = new Set()

export type ElectionDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  /** Stand for election now; with `inLatch`, only while holding Curator's latch. */
  | { readonly do: 'stand'; readonly inLatch: boolean }
  | {
      readonly do: 'abdicate'
      readonly operations: readonly TransactionPart[]
      readonly reason: 'disabled' | 'paused'
    }

const nothing: ElectionDecision = { do: 'nothing' }

/**
 * `vacantSince`: when this instance first saw the job without a leader. `abstainUntil`: set after this instance
 * abdicated because it could not do its work. `declined`: instances that did not stand when they could, such as a
 * crashed one whose session lasts.
 */
export function planElection(
  view: JobView,
  me: Member,
  now: number,
  vacantSince: number,
  abstainUntil: number,
  declined: ReadonlySet<string> = none,
): ElectionDecision {
  if (view.leader !== undefined) {
    if (view.leader.instance !== me.instance) return nothing
    const reason = reasonToAbdicate(view, me, declined)
    if (reason === undefined) return nothing
    const last = reason === 'disabled' ? requestForJava(view, me) : []
    return { do: 'abdicate', operations: [...planAbdication(view, me), ...last], reason }
  }
  const rank = candidates(view).indexOf(me.instance)
  if (rank === -1) return nothing
  const isLeftToOthers = isPausedHere(view, me) && unpausedCandidates(view).length > 0
  const wait = rank * apart + (isLeftToOthers ? pausedWait : 0)
  const turn = Math.max(vacantSince + wait, abstainUntil)
  if (now < turn) return { do: 'wait', until: turn }
  return { do: 'stand', inLatch: isMixed(view) }
}

/** The instances that may lead, unpaused ones first. An instance on a disabled server never stands. */
export function candidates(view: JobView): string[] {
  const jobState = view.jobState?.value ?? noJobState
  const enabled = [...view.instances].filter((instance) =>
    isServerEnabled(view, serverOf(instance)),
  )
  const pausedLast = (instance: string): number => Number(isPaused(jobState, serverOf(instance)))
  return enabled.toSorted((a, b) => pausedLast(a) - pausedLast(b) || (a < b ? -1 : 1))
}

export function unpausedCandidates(view: JobView): string[] {
  const jobState = view.jobState?.value ?? noJobState
  return candidates(view).filter((instance) => !isPaused(jobState, serverOf(instance)))
}

function isPausedHere({ jobState }: JobView, { ip }: Member): boolean {
  return jobState?.value.pausedServers?.includes(ip) === true
}

/** A paused leader continues if no instance is left that could replace it: every job needs a leader. */
function reasonToAbdicate(
  view: JobView,
  me: Member,
  declined: ReadonlySet<string>,
): 'disabled' | 'paused' | undefined {
  if (!isServerEnabled(view, me.ip)) return 'disabled'
  if (!isPausedHere(view, me)) return undefined
  return unpausedCandidates(view).some((instance) => !declined.has(instance)) ? 'paused' : undefined
}

/** The version of the leader node that only a native leader gives it. */
export const ourLeaderVersion = 1

/**
 * The election itself. The candidate sets the leader node once after creating it, so the node has version 1, where
 * Java's has 0. It also sets the assignment, so every transaction that a former leader has in progress fails.
 */
export function planCandidacy(view: JobView, me: Member, latchNode?: string): TransactionPart[] {
  const { paths } = me
  const operations: TransactionPart[] = []
  if (latchNode !== undefined) operations.push(part.check(latchNode))
  operations.push(part.check(paths.instance(me.instance)))
  if (!view.folders.has('leader')) operations.push(part.create(paths.leader))
  if (!view.folders.has('leader/election')) operations.push(part.create(paths.election))
  operations.push(
    part.ephemeral(paths.leaderInstance, me.instance),
    part.set(paths.leaderInstance, me.instance, 0),
  )
  const { assignment } = view
  if (assignment === undefined) {
    operations.push(part.create(paths.assignment, encodeAssignment(noAssignment)))
  }
  const data = encodeAssignment(inheritedAssignment(view))
  operations.push(part.set(paths.assignment, data, assignment?.version ?? 0))
  return operations
}

/** Deletes only this instance's own leader node: a successor that has replaced it meanwhile stays. */
export function planAbdication(view: JobView, me: Member): TransactionPart[] {
  return [...leaderChecks(view, me), part.delete(me.paths.leaderInstance, ourLeaderVersion)]
}

/** The last request of a leader whose instance node was deleted before its leader node, as Java's tools do. */
export function planLastRequest(view: JobView, me: Member): TransactionPart[] {
  const request = view.instances.has(me.instance) ? [] : requestForJava(view, me)
  return request.length === 0 ? [] : [...leaderChecks(view, me), ...request]
}

/**
 * A Java successor drops the event that made the leader leave, because it did not lead yet when it arrived. Without the
 * flag no instance would reassign the shards of the leader.
 */
function requestForJava(view: JobView, { paths }: Member): TransactionPart[] {
  return isMixed(view) && view.necessary === undefined ? [part.create(paths.necessary)] : []
}

/** Whether this instance leads, with a native leader node. */
export function leads(view: JobView, instance: string): boolean {
  return view.leader?.instance === instance && view.leader.version === ourLeaderVersion
}

/**
 * The checks that begin every transaction of a leader. The first fails after a Java successor, the second after a
 * native one.
 */
export function leaderChecks(view: JobView, me: Member): TransactionPart[] {
  return [
    part.check(me.paths.leaderInstance, ourLeaderVersion),
    part.check(me.paths.assignment, view.assignment?.version ?? -1),
  ]
}
