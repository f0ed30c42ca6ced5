/** How a job comes into the registry, and how an instance comes into the job. */
import { encodeAssignment, noAssignment } from '../job-tree/stored-assignment.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { isServerEnabled, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState, noJobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import type { JobPaths } from '../job-tree/paths.ts'
import {
  countingFrom,
  isDisabledEverywhere,
  switchedOn,
  timelineOf,
  type Timing,
} from '../job-tree/timeline.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'

/** What a job comes into being with. */
export interface Creation {
  readonly configText: string
  /** What Java calls its class; undefined if its node is there already. */
  readonly rootData: string | undefined
  /** Its state, unless it has one. */
  readonly jobState: JobState
  /** Whether the folder of its shard states is there, although the state is not. */
  readonly hasStates: boolean
  /** What an operator has switched off, of a job that comes back. */
  readonly disabledServers?: readonly string[]
  readonly disabledShards?: readonly number[]
}

/**
 * The whole skeleton of a job that does not exist, or nothing of it. The state with it: whoever removes the job has
 * changed it, and deletes it last, so that nobody makes a job while it is being removed.
 */
export function planCreation(
  view: JobView,
  { paths }: Pick<Member, 'paths'>,
  { configText, rootData, jobState, hasStates, disabledServers, disabledShards }: Creation,
): TransactionPart[] {
  const guard =
    view.jobState === undefined
      ? firstState({ paths }, jobState, hasStates)
      : [part.check(paths.jobState, view.jobState.version)]
  // What is missing below a node that is there comes with the registration.
  if (rootData === undefined) return [...guard, part.create(paths.config, configText)]
  return [
    ...guard,
    part.create(paths.root, rootData),
    part.create(paths.config, configText),
    ...[paths.instances, paths.servers, paths.leader, paths.election, paths.shards].map((path) =>
      part.create(path),
    ),
    // Never empty: without data it would be one that Java has made.
    part.create(paths.assignment, encodeAssignment(noAssignment)),
    ...(disabledServers ?? []).map((ip) => part.create(paths.server(ip), 'DISABLED')),
    ...(disabledShards ?? []).flatMap((shard) => [
      part.create(paths.shard(shard)),
      part.create(paths.mark(shard, 'disabled')),
    ]),
  ]
}

/** The state of a job that has none, with the folder for those of its shards. */
export function firstState(
  { paths }: Pick<Member, 'paths'>,
  jobState: JobState,
  hasStates: boolean,
): TransactionPart[] {
  const first = part.create(paths.jobState, encodeJobState(jobState))
  return hasStates ? [first] : [first, part.create(paths.shardStates)]
}

/** What an instance says of itself when it comes. */
export interface Arrival {
  readonly instanceText: string
  /** What the configuration says of this server: it holds for a new one, or for all with `overwrite`. */
  readonly disabled: boolean
  readonly overwrite: boolean
  /** The job state, should it have none. */
  readonly jobState: JobState
  /** Whether the folder of its shard states is there, although the state is not. */
  readonly hasStates: boolean
  /** The registry has lost what was run until then: nothing that was scheduled before is due. */
  readonly lostUntil?: number | undefined
  readonly now: number
}

/**
 * The server and the instance in one transaction: Java takes an instance without its server for a disabled one. The
 * setting of an operator for the server, or for the whole job, stays, unless `overwrite` is set.
 */
export function planRegistration(view: JobView, me: Member, arrival: Arrival): TransactionPart[] {
  const { paths } = me
  const operations = missingNodes(view, me).map(({ creation }) => creation)
  // A job that is being removed has changed its state: then this one fails as a whole.
  const stored = view.servers.get(me.ip)
  const isDisabledJob = view.jobState?.value.disabled === true && !arrival.overwrite
  const wish = arrival.disabled || isDisabledJob ? 'DISABLED' : 'ENABLED'
  const isEnabled = (stored === undefined || arrival.overwrite ? wish : stored) !== 'DISABLED'
  if (view.jobState === undefined)
    operations.push(...firstState(me, arrival.jobState, arrival.hasStates))
  else operations.push(greeting(view, view.jobState, me, { ...arrival, isEnabled }))
  if (stored === undefined) operations.push(part.create(paths.server(me.ip), wish))
  else if (arrival.overwrite && stored !== wish)
    operations.push(part.set(paths.server(me.ip), wish))
  // Earlier versions wrote nothing for an enabled server; Java would wait for it for ever.
  else if (stored === '') operations.push(part.set(paths.server(me.ip), 'ENABLED'))
  // It stands already if the answer to this was lost; nobody else has our name.
  if (!view.instances.has(me.instance)) {
    operations.push(part.ephemeral(paths.instance(me.instance), arrival.instanceText))
  }
  return operations
}

/** The nodes of a job's skeleton that are missing, parents first, and how they are made. */
export function missingNodes(
  view: JobView,
  { paths }: Pick<Member, 'paths'>,
): { readonly path: string; readonly creation: TransactionPart }[] {
  const folders = [
    ['instances', paths.instances],
    ['servers', paths.servers],
    ['leader', paths.leader],
    ['leader/election', paths.election],
    ['sharding', paths.shards],
  ] as const
  const missing = folders
    .filter(([folder]) => !view.folders.has(folder))
    .map(([, path]) => ({ path, creation: part.create(path) }))
  if (view.assignment !== undefined) return missing
  const assignment = part.create(paths.assignment, encodeAssignment(noAssignment))
  return [...missing, { path: paths.assignment, creation: assignment }]
}

/**
 * That an operator shut a server down holds until it takes part again: then those who left are forgotten. So is that
 * the server was empty; whoever is about to take its node away finds the state changed. A job that was disabled on all
 * servers fires again from then on, if the server is enabled.
 */
function greeting(
  view: JobView,
  jobState: Versioned<JobState>,
  { paths, ip, instance }: Member,
  { lostUntil, isEnabled, now }: Pick<Arrival, 'lostUntil' | 'now'> & { isEnabled: boolean },
): TransactionPart {
  const isBack = isEnabled && isDisabledEverywhere(jobState.value)
  const known = withoutClock(view, jobState.value, instance)
  const {
    shutdown = [],
    emptyServers = {},
    ...rest
  } = isBack ? { ...enabledAgain(known, now), resumed: now } : known
  const isLater = lostUntil !== undefined && (rest.schedule?.since ?? Infinity) < lostUntil
  const left = shutdown.filter((one) => serverOf(one) !== ip || view.instances.has(one))
  const empty = Object.entries(emptyServers).filter(([one]) => one !== ip)
  const isKnown = left.length < shutdown.length || emptyServers[ip] !== undefined
  const wasRefused = jobState.value.refusedClocks !== undefined
  if (!isKnown && !isLater && !wasRefused && !isBack) {
    return part.check(paths.jobState, jobState.version)
  }
  const value: JobState = {
    ...(isLater ? countingFrom(rest, lostUntil) : rest),
    ...(left.length === 0 ? {} : { shutdown: left }),
    ...(empty.length === 0 ? {} : { emptyServers: Object.fromEntries(empty) }),
  }
  return part.set(paths.jobState, encodeJobState(value), jobState.version)
}

/** Notes that the clock of this instance is refused, for operators; nothing if that is noted. `difference` in milliseconds. */
export function planClockRefusal(
  view: JobView,
  { paths, instance }: Member,
  difference: number,
): TransactionPart[] {
  const { jobState } = view
  if (jobState === undefined || jobState.value.refusedClocks?.[instance] !== undefined) return []
  const others = withoutClock(view, jobState.value, instance)
  const refusedClocks = { ...others.refusedClocks, [instance]: Math.round(difference) }
  return [part.set(paths.jobState, encodeJobState({ ...others, refusedClocks }), jobState.version)]
}

/** The instance whose clock was refused takes no part any more; nothing if nothing is noted of it. */
export function planClockRelease(view: JobView, { paths, instance }: Member): TransactionPart[] {
  const { jobState } = view
  if (jobState?.value.refusedClocks?.[instance] === undefined) return []
  const text = encodeJobState(withoutClock(view, jobState.value, instance))
  return [part.set(paths.jobState, text, jobState.version)]
}

/** Without the refused clock of the instance, and without those of instances that are gone. */
function withoutClock(view: JobView, jobState: JobState, instance: string): JobState {
  const { refusedClocks = {}, ...rest } = jobState
  const left = Object.entries(refusedClocks).filter(
    ([one]) => one !== instance && view.alive.has(one),
  )
  return left.length === 0 ? rest : { ...rest, refusedClocks: Object.fromEntries(left) }
}

/**
 * The job's state says that the job is disabled on all servers, and another tool has enabled one of them. When that
 * was is not known: fire times count from now on.
 */
export function planEnabledByOthers(
  view: JobView,
  paths: JobPaths,
  now: number,
): TransactionPart[] {
  const { jobState, servers } = view
  if (jobState === undefined || !isDisabledEverywhere(jobState.value)) return []
  if (![...servers.keys()].some((ip) => isServerEnabled(view, ip))) return []
  const text = encodeJobState(enabledAgain(jobState.value, now))
  return [part.set(paths.jobState, text, jobState.version)]
}

/** The job has an enabled server again. */
function enabledAgain(jobState: JobState, now: number): JobState {
  const { disabled: _disabled, ...others } = jobState
  return { ...others, off: switchedOn(jobState, 'disabled', now) ?? [] }
}

/**
 * The cron expression and zone changed: what was scheduled before that is due no more. What was scheduled, and for
 * how many shards, is kept until all of it is accounted for.
 */
export function planSchedule(
  view: JobView,
  paths: JobPaths,
  digest: string,
  timing: Timing,
): TransactionPart[] {
  const { config, jobState } = view
  if (config === undefined || jobState === undefined) return []
  const isNoted = jobState.value.schedule?.digest === digest
  const timeline = timelineOf(jobState.value, timing, config.mtime, isNoted)
  if (isNoted && timeline === jobState.value.timeline) return []
  const changed: JobState = {
    ...noJobState,
    ...jobState.value,
    ...(isNoted ? {} : { schedule: { digest, since: config.mtime } }),
    timeline,
  }
  return [part.set(paths.jobState, encodeJobState(changed), jobState.version)]
}
