/** A job's structure as typed values: the input of every plan. */
import { part, type TransactionPart } from '../registry/transaction.ts'
import type { StoredAssignment } from './stored-assignment.ts'
import { isJavaInstance, serverOf } from './instance-id.ts'
import type { JobState } from './job-state.ts'
import type { Member } from './member.ts'

export interface Versioned<T> {
  readonly value: T
  readonly version: number
}

/** A node that Java deletes and recreates: the czxid distinguishes one creation from the next. */
export interface MarkNode {
  readonly czxid: bigint
  readonly ctime: number
}

export interface LeaderNode {
  readonly instance: string
  /** 1 for a native leader, 0 for a Java leader. */
  readonly version: number
}

/** `sharding/{i}/instance` as it was last read. */
export interface OwnerNode {
  readonly instance: string
  readonly version: number
  readonly czxid: bigint
}

/** A Java instance whose node is absent. */
export interface Absence {
  /** When the node disappeared, in registry time. */
  readonly since: number
  /** The absence has lasted too long: the instance is dead. Until then its node may come back. */
  readonly isFinal: boolean
}

/** A Java instance was absent for a moment, and did not run the fire times in between. */
export interface Gap {
  readonly since: number
  readonly until: number
}

/** `next-job-instance-ip`: the server whose turn it is in mixed mode, in a job with one balanced shard. */
export interface TurnNode {
  readonly ip: string
  readonly ctime: number
}

/** The nodes below `sharding/{i}`. */
export interface ShardNodes {
  /** Whether `instance` exists. */
  readonly hasOwner: boolean
  /** The instance that it names. Read in mixed mode only, where the assignment may differ. */
  readonly owner: OwnerNode | undefined
  readonly running: boolean
  /** The instance that the `running` mark names; read in mixed mode only. */
  readonly runner: string | undefined
  readonly misfire: boolean
  readonly disabled: boolean
  /** The instance that took the shard over from a crashed one. */
  readonly failover: string | undefined
  readonly failovering: string | undefined
}

export interface JobView {
  readonly jobName: string
  /** The text of `config`, and when it was last changed. */
  readonly config:
    | { readonly text: string; readonly version: number; readonly mtime: number }
    | undefined
  /** The instances that belong to a session, as far as that can be known. */
  readonly instances: ReadonlySet<string>
  /**
   * Nodes below `instances` without a known session: of the native form without `S/alive/{id}`, or of Java's form and
   * not ephemeral. No process stands behind them.
   */
  readonly unproven: ReadonlySet<string>
  /** Java instances that were present, or that a node names, and that are absent now. */
  readonly absences: ReadonlyMap<string, Absence>
  /** The last absence of Java instances that are present. */
  readonly gaps: ReadonlyMap<string, Gap>
  /** The native instances that have a session, for any job. */
  readonly alive: ReadonlySet<string>
  /** The operator's setting for each server: ENABLED or DISABLED. */
  readonly servers: ReadonlyMap<string, string>
  readonly leader: LeaderNode | undefined
  /** Undefined if the node does not exist. */
  readonly assignment: Versioned<StoredAssignment> | undefined
  readonly necessary: MarkNode | undefined
  /** When `necessary` was last raised, as far as this instance has seen it. */
  readonly lastFlag: number | undefined
  readonly processing: boolean
  /** Crashed runs that wait for an instance to take them over. */
  readonly failoverShards: ReadonlySet<number>
  readonly shards: ReadonlyMap<number, ShardNodes>
  /**
   * Whether the replica reads the names in the shard nodes. It does while a Java instance is present, and until the
   * assignment agrees with the nodes that Java left.
   */
  readonly readsOwners: boolean
  readonly turn: TurnNode | undefined
  /** The instances that have to run now, by Java's trigger nodes, with the data of each node. */
  readonly triggers: ReadonlyMap<string, string>
  readonly jobState: Versioned<JobState> | undefined
  /** Folders of the job that exist, by their path below its root. */
  readonly folders: ReadonlySet<string>
}

/** Whether Java instances take part in the job, so that Java's rules apply. */
export function isMixed(view: JobView): boolean {
  // In native mode the names are not read, so no shard has to be checked.
  if (!view.readsOwners) return false
  if (isJavaAbout(view)) return true
  for (const { owner, runner, failover, failovering } of view.shards.values()) {
    for (const instance of [owner?.instance, runner, failover, failovering]) {
      if (instance !== undefined && isJavaInstance(instance)) return true
    }
  }
  return false
}

/**
 * Whether a Java instance is present, or absent for a moment only: while one can do it, clearing Java's leftovers is
 * left to Java.
 */
export function isJavaAbout(view: JobView): boolean {
  for (const instance of view.instances) if (isJavaInstance(instance)) return true
  for (const { isFinal } of view.absences.values()) if (!isFinal) return true
  return view.leader !== undefined && isJavaInstance(view.leader.instance)
}

/** A server without a node is enabled. */
export function isServerEnabled(view: JobView, ip: string): boolean {
  return view.servers.get(ip) !== 'DISABLED'
}

/**
 * The instances that may own shards, in Java's order: descending by string. A Java instance that is absent for a moment
 * is included, so that its shards stay with it.
 */
export function availableInstances(view: JobView): string[] {
  const available: string[] = []
  for (const instance of view.instances) {
    if (isServerEnabled(view, serverOf(instance))) available.push(instance)
  }
  for (const [instance, { isFinal }] of view.absences) {
    if (!isFinal && isServerEnabled(view, serverOf(instance))) available.push(instance)
  }
  return available.toSorted(descending)
}

/**
 * Whether an instance is gone for good: no second session uses a native id, and a Java instance has been absent for
 * long enough.
 */
export function isDead(view: JobView, instance: string): boolean {
  if (view.instances.has(instance) || view.alive.has(instance)) return false
  return view.absences.get(instance)?.isFinal !== false
}

/**
 * Java's order of instance ids: descending, by UTF-16 code units. Every strategy builds on it, so that a change between
 * a Java leader and a native one moves no shards.
 */
export function descending(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? 1 : -1
}

/**
 * Every action of an operator on a job changes the job state in the same transaction, so no claim that was planned
 * before it succeeds after it.
 */
export function stateCheck(
  { jobState }: JobView,
  { paths }: Pick<Member, 'paths'>,
): TransactionPart[] {
  return jobState === undefined ? [] : [part.check(paths.jobState, jobState.version)]
}
