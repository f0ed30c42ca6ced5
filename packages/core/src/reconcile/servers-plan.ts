/**
 * Removes servers that have had no instance for a day: in containers every start has another address, and the nodes
 * would pile up. The job state stores since when a server is empty, so that a new leader does not start counting again.
 * A server that an operator disabled or paused stays.
 */
import { leaderChecks } from '../election/plan.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** How long a server may be empty, in milliseconds. */
export const retention: number = 24 * 3_600_000

/** Enabled servers without an instance, except those that an operator has paused. */
export function emptyServersOf({ servers, instances, jobState }: JobView): string[] {
  const present = new Set([...instances].map(serverOf))
  return [...servers]
    .filter(([ip, stored]) => stored !== 'DISABLED' && !present.has(ip))
    .map(([ip]) => ip)
    .filter((ip) => jobState?.value.pausedServers?.includes(ip) !== true)
    .toSorted()
}

export interface Cleaning {
  /** The servers that are removed. */
  readonly removed: readonly string[]
  readonly operations: readonly TransactionPart[]
}

/**
 * Records which servers are empty, and deletes the nodes of those that have been empty for too long.
 * @param seen since when this leader has seen each server empty; without servers that may only be restarting
 * @param versions of the nodes that may be deleted: an instance that comes back writes to the node of its server
 */
export function planCleaning(
  view: JobView,
  me: Member,
  seen: ReadonlyMap<string, number>,
  now: number,
  versions: ReadonlyMap<string, number>,
): Cleaning {
  if (view.jobState === undefined) return { removed: [], operations: [] }
  const { value, version } = view.jobState
  const known = value.emptyServers ?? {}
  const left = new Map<string, number>()
  const removed: string[] = []
  for (const ip of emptyServersOf(view)) {
    const since = known[ip] ?? seen.get(ip)
    if (since === undefined) continue
    if (known[ip] !== undefined && since + retention <= now && versions.has(ip)) removed.push(ip)
    else left.set(ip, since)
  }
  if (removed.length === 0 && sameEntries(known, left)) return { removed, operations: [] }
  const jobState = withoutServers({ ...value, emptyServers: Object.fromEntries(left) }, removed)
  return {
    removed,
    operations: [
      ...leaderChecks(view, me),
      // A native instance that comes back changes the job state, too.
      part.set(me.paths.jobState, encodeJobState(jobState), version),
      ...removed.map((ip) => part.delete(me.paths.server(ip), versions.get(ip) as number)),
    ],
  }
}

/** Servers whose retention is over; their nodes have to be read before they are deleted. */
export function expiredServers(view: JobView, now: number): string[] {
  const known = view.jobState?.value.emptyServers ?? {}
  return emptyServersOf(view).filter((ip) => (known[ip] ?? Infinity) + retention <= now)
}

/** When the next retention ends; undefined if no server is recorded as empty. */
export function nextExpiry(view: JobView): number | undefined {
  const times = Object.values(view.jobState?.value.emptyServers ?? {})
  return times.length === 0 ? undefined : Math.min(...times) + retention
}

function sameEntries(known: Readonly<Record<string, number>>, left: Map<string, number>): boolean {
  const entries = Object.entries(known)
  return entries.length === left.size && entries.every(([ip, since]) => left.get(ip) === since)
}

/** Drops everything that the job state records of the removed servers; empty lists are left out. */
function withoutServers(jobState: JobState, removed: readonly string[]): JobState {
  const { emptyServers = {}, resumedServers = {}, shutdown = [], ...rest } = jobState
  const isGone = (ip: string): boolean => removed.includes(ip)
  const resumed = Object.entries(resumedServers).filter(([ip]) => !isGone(ip))
  const left = shutdown.filter((instance) => !isGone(serverOf(instance)))
  return {
    ...rest,
    ...(Object.keys(emptyServers).length === 0 ? {} : { emptyServers }),
    ...(resumed.length === 0 ? {} : { resumedServers: Object.fromEntries(resumed) }),
    ...(left.length === 0 ? {} : { shutdown: left }),
  }
}
