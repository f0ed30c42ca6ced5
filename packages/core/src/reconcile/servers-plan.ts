/**
 * Servers of which nobody has been there for a day are forgotten: in containers every start has another address, and
 * their nodes would pile up. Since when is written down, so that the next leader does not begin to count anew. The
 * setting of an operator for a server stays.
 */
import { leaderChecks } from '../election/plan.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** How long a server may be empty, in milliseconds. */
export const retention: number = 24 * 3_600_000

/** Enabled servers without an instance; one that an operator has paused is not among them. */
export function emptyServersOf({ servers, instances, jobState }: JobView): string[] {
  const present = new Set([...instances].map(serverOf))
  return [...servers]
    .filter(([ip, stored]) => stored !== 'DISABLED' && !present.has(ip))
    .map(([ip]) => ip)
    .filter((ip) => jobState?.value.pausedServers?.includes(ip) !== true)
    .toSorted()
}

export interface Cleaning {
  /** The servers that go. */
  readonly removed: readonly string[]
  readonly operations: readonly TransactionPart[]
}

/**
 * Writes down which servers are empty, and takes away the nodes of those that have been so for too long.
 * @param seen since when this leader has seen each of them empty; one that may be back soon is not in it
 * @param versions of the nodes that may go: whoever comes back writes to his
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
      // Whoever of ours comes back changes it, too.
      part.set(me.paths.jobState, encodeJobState(jobState), version),
      ...removed.map((ip) => part.delete(me.paths.server(ip), versions.get(ip) as number)),
    ],
  }
}

/** Those whose day is over: their nodes have to be looked at before they go. */
export function expiredServers(view: JobView, now: number): string[] {
  const known = view.jobState?.value.emptyServers ?? {}
  return emptyServersOf(view).filter((ip) => (known[ip] ?? Infinity) + retention <= now)
}

/** When the next day is over; undefined if no server is known to be empty. */
export function nextExpiry(view: JobView): number | undefined {
  const times = Object.values(view.jobState?.value.emptyServers ?? {})
  return times.length === 0 ? undefined : Math.min(...times) + retention
}

function sameEntries(known: Readonly<Record<string, number>>, left: Map<string, number>): boolean {
  const entries = Object.entries(known)
  return entries.length === left.size && entries.every(([ip, since]) => left.get(ip) === since)
}

/** Nothing is left of what the state says of a server; a list that is empty is not there. */
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
