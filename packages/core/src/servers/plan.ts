/** Plans the creation of a job in the registry, and the registration of an instance in the job. */
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

/** The content of a new job. */
export interface Creation {
  readonly configText: string
  /** The class name that Java expects; undefined if the root node already exists. */
  readonly rootData: string | undefined
  /** The initial job state, used if the job has none. */
  readonly jobState: JobState
  /** Whether the folder of the shard states exists although the job state does not. */
  readonly hasStates: boolean
  /** Servers and shards that an operator has disabled, for a job that is recreated. */
  readonly disabledServers?: readonly string[]
  readonly disabledShards?: readonly number[]
}

/**
 * Creates the whole skeleton of a job in one transaction. The transaction includes or checks the job state: a removal
 * changes the job state first and deletes it last, so no instance can create the job while it is being removed.
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
  // If the root node exists, the registration creates the nodes missing below it.
  if (rootData === undefined) return [...guard, part.create(paths.config, configText)]
  return [
    ...guard,
    part.create(paths.root, rootData),
    part.create(paths.config, configText),
    ...[paths.instances, paths.servers, paths.leader, paths.election, paths.shards].map((path) =>
      part.create(path),
    ),
    // Never empty: Java creates this node without data.
    part.create(paths.assignment, encodeAssignment(noAssignment)),
    ...(disabledServers ?? []).map((ip) => part.create(paths.server(ip), 'DISABLED')),
    ...(disabledShards ?? []).flatMap((shard) => [
      part.create(paths.shard(shard)),
      part.create(paths.mark(shard, 'disabled')),
    ]),
  ]
}

/** Creates the state of a job that has none, and the folder for its shard states. */
export function firstState(
  { paths }: Pick<Member, 'paths'>,
  jobState: JobState,
  hasStates: boolean,
): TransactionPart[] {
  const first = part.create(paths.jobState, encodeJobState(jobState))
  return hasStates ? [first] : [first, part.create(paths.shardStates)]
}

/** The input of a registration. */
export interface Arrival {
  readonly instanceText: string
  /**
   * The setting of the configuration for this server. It applies to a new server, or to any server with `overwrite`.
   */
  readonly disabled: boolean
  readonly overwrite: boolean
  /** The initial job state, used if the job has none. */
  readonly jobState: JobState
  /** Whether the folder of the shard states exists although the job state does not. */
  readonly hasStates: boolean
  /** The registry has lost the record of runs up to this moment: no earlier fire time is due. */
  readonly lostUntil?: number | undefined
  readonly now: number
}

/**
 * Creates server and instance in one transaction: Java treats an instance without a server node as disabled. An
 * operator's setting for the server, or for the whole job, stays unless `overwrite` is set.
 */
export function planRegistration(view: JobView, me: Member, arrival: Arrival): TransactionPart[] {
  const { paths } = me
  const operations = missingNodes(view, me).map(({ creation }) => creation)
  // The removal of a job changes the job state, so this transaction then fails as a whole.
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
  // Earlier versions stored no data for an enabled server; Java would wait for it forever.
  else if (stored === '') operations.push(part.set(paths.server(me.ip), 'ENABLED'))
  // The node exists if the answer to an earlier attempt was lost; no other instance uses this id.
  if (!view.instances.has(me.instance)) {
    operations.push(part.ephemeral(paths.instance(me.instance), arrival.instanceText))
  }
  return operations
}

/** The missing nodes of a job's skeleton, parents first, with the parts that create them. */
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
 * Updates the job state for an instance that joins. An operator's shutdown of a server holds until the server takes
 * part again; then the departed instances of the server are dropped from the list. The record that the server was empty
 * is dropped too: a leader that is about to delete the server node then finds the job state changed. A job that was
 * disabled on all servers fires again from now on, if this server is enabled.
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

/**
 * Records for operators that the clock of this instance is refused; no parts if it is already recorded. `difference` is
 * in milliseconds.
 */
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

/** An instance with a refused clock no longer takes part: deletes its record; no parts if there is none. */
export function planClockRelease(view: JobView, { paths, instance }: Member): TransactionPart[] {
  const { jobState } = view
  if (jobState?.value.refusedClocks?.[instance] === undefined) return []
  const text = encodeJobState(withoutClock(view, jobState.value, instance))
  return [part.set(paths.jobState, text, jobState.version)]
}

/** The job state without the record of this instance, and without those of dead instances. */
function withoutClock(view: JobView, jobState: JobState, instance: string): JobState {
  const { refusedClocks = {}, ...rest } = jobState
  const left = Object.entries(refusedClocks).filter(
    ([one]) => one !== instance && view.alive.has(one),
  )
  return left.length === 0 ? rest : { ...rest, refusedClocks: Object.fromEntries(left) }
}

/**
 * The job state says that the job is disabled on all servers, but another tool has enabled one of them. The moment of
 * that change is unknown, so fire times count from now on.
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

/** The job state with the disabled period of the whole job closed. */
function enabledAgain(jobState: JobState, now: number): JobState {
  const { disabled: _disabled, ...others } = jobState
  return { ...others, off: switchedOn(jobState, 'disabled', now) ?? [] }
}

/**
 * The cron expression or time zone has changed: earlier fire times are no longer due. The former schedule and its shard
 * count stay in the timeline until all its fire times are accounted for.
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
