/**
 * Who leads. In a job without Java instances the creation of the leader node is the election, and the instances try it
 * in the order of their rank; in a mixed one it happens inside Curator's latch, as Java does it.
 */
import { encodeAssignment, noAssignment } from '../job-tree/stored-assignment.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { isMixed, isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { inheritedAssignment } from './inherit.ts'

/** How far apart instances try, so that a dead leader is not followed by a stampede. */
const apart = 50
/** How long an instance on a paused server leaves the election to instances that are not paused. */
const pausedWait = 1000

const none: ReadonlySet<string> = new Set()

export type ElectionDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  /** Stand now; `inLatch`: only while holding Curator's latch. */
  | { readonly do: 'stand'; readonly inLatch: boolean }
  | {
      readonly do: 'abdicate'
      readonly operations: readonly TransactionPart[]
      readonly reason: 'disabled' | 'paused'
    }

const nothing: ElectionDecision = { do: 'nothing' }

/**
 * `vacantSince`: when this instance saw that there is no leader. `abstainUntil`: it stepped down by itself. `declined`:
 * instances that did not stand when they could, such as a crashed one whose session lasts.
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

/** Who may lead, those first who are not paused; a disabled server never stands. */
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

/** The leader node at the version that only a leader of ours gives it. */
export const ourLeaderVersion = 1

/**
 * The election itself. The node is set once after its creation, so that it has version 1 where Java's
 * has 0, and the epoch is set: whatever a former leader has under way fails from now on.
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

/** Of ourselves alone: should we have been replaced meanwhile, the successor stays. */
export function planAbdication(view: JobView, me: Member): TransactionPart[] {
  return [...leaderChecks(view, me), part.delete(me.paths.leaderInstance, ourLeaderVersion)]
}

/** What a leader asks for before it goes if its instance node was deleted first, as Java's tools do it. */
export function planLastRequest(view: JobView, me: Member): TransactionPart[] {
  const request = view.instances.has(me.instance) ? [] : requestForJava(view, me)
  return request.length === 0 ? [] : [...leaderChecks(view, me), ...request]
}

/**
 * A Java successor did not lead yet when it heard why the leader goes, and has dropped it. Without the flag nobody
 * would assign what the leader owned.
 */
function requestForJava(view: JobView, { paths }: Member): TransactionPart[] {
  return isMixed(view) && view.necessary === undefined ? [part.create(paths.necessary)] : []
}

/** Whether this instance leads, by a leader node of ours. */
export function leads(view: JobView, instance: string): boolean {
  return view.leader?.instance === instance && view.leader.version === ourLeaderVersion
}

/** What every transaction of a leader begins with: the first excludes Java's successors, the second ours. */
export function leaderChecks(view: JobView, me: Member): TransactionPart[] {
  return [
    part.check(me.paths.leaderInstance, ourLeaderVersion),
    part.check(me.paths.assignment, view.assignment?.version ?? -1),
  ]
}
