/** A job's structure as typed values: what every plan looks at. */
import { part, type TransactionPart } from '../registry/transaction.ts'
import type { StoredAssignment } from './stored-assignment.ts'
import { isJavaInstance, serverOf } from './instance-id.ts'
import type { JobState } from './job-state.ts'
import type { Member } from './member.ts'

export interface Versioned<T> {
  readonly value: T
  readonly version: number
}

/** A node of Java's that is made again and again: the czxid tells one from the next. */
export interface MarkNode {
  readonly czxid: bigint
  readonly ctime: number
}

export interface LeaderNode {
  readonly instance: string
  /** 1 for a leader of ours, 0 for one of Java's. */
  readonly version: number
}

/** `sharding/{i}/instance` as it was last read. */
export interface OwnerNode {
  readonly instance: string
  readonly version: number
  readonly czxid: bigint
}

/** A Java instance whose node is not there. */
export interface Absence {
  /** When it went, in registry time. */
  readonly since: number
  /** Away for too long: the instance is dead. Until then its node may come back in a moment. */
  readonly isFinal: boolean
}

/** A Java instance was away for a moment: what was scheduled then it has not run. */
export interface Gap {
  readonly since: number
  readonly until: number
}

/** `next-job-instance-ip`: the server whose turn it is in a job of Java's with one balanced shard. */
export interface TurnNode {
  readonly ip: string
  readonly ctime: number
}

/** What stands below `sharding/{i}`. */
export interface ShardNodes {
  /** Whether `instance` exists. */
  readonly hasOwner: boolean
  /** Who it names; read in a mixed job only, where the leader's epoch may say something else. */
  readonly owner: OwnerNode | undefined
  readonly running: boolean
  /** Who runs it, as the mark says; read in a mixed job only. */
  readonly runner: string | undefined
  readonly misfire: boolean
  readonly disabled: boolean
  /** Who has taken the shard over from a crashed instance. */
  readonly failover: string | undefined
  readonly failovering: string | undefined
}

export interface JobView {
  readonly jobName: string
  /** The text of `config`, and when it was last changed. */
  readonly config:
    | { readonly text: string; readonly version: number; readonly mtime: number }
    | undefined
  /** Those that belong to a session, as far as that can be known. */
  readonly instances: ReadonlySet<string>
  /**
   * Nodes below `instances` that no session vouches for: of our form without `S/alive/{id}`, or of Java's
   * and not ephemeral. Nobody is there who could run anything.
   */
  readonly unproven: ReadonlySet<string>
  /** Java instances that were there, or are named somewhere, and are not there now. */
  readonly absences: ReadonlyMap<string, Absence>
  /** When Java instances that are there were last away. */
  readonly gaps: ReadonlyMap<string, Gap>
  /** The instances of ours that have a session, for whatever job. */
  readonly alive: ReadonlySet<string>
  /** What the operator says of each server: ENABLED or DISABLED. */
  readonly servers: ReadonlyMap<string, string>
  readonly leader: LeaderNode | undefined
  /** Undefined if the node does not exist. */
  readonly assignment: Versioned<StoredAssignment> | undefined
  readonly necessary: MarkNode | undefined
  /** When `necessary` was last raised, as far as it was seen. */
  readonly lastFlag: number | undefined
  readonly processing: boolean
  /** Runs of crashed instances that wait for somebody to take them over. */
  readonly failoverShards: ReadonlySet<number>
  readonly shards: ReadonlyMap<number, ShardNodes>
  /**
   * Whether the names in the shards' nodes are read. They are while somebody of Java's is about, and until the leader's
   * epoch agrees with what Java has left.
   */
  readonly readsOwners: boolean
  readonly turn: TurnNode | undefined
  /** Who is to run now, as Java says it, with the node's data. */
  readonly triggers: ReadonlyMap<string, string>
  readonly jobState: Versioned<JobState> | undefined
  /** Folders of the job that exist, by their path below its root. */
  readonly folders: ReadonlySet<string>
}

/** Whether Java instances take part in the job, so that Java's rules have to be kept. */
export function isMixed(view: JobView): boolean {
  // Of a job without Java instances no names are read: nothing has to be looked at to know that none is Java's.
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
 * Whether somebody of Java's is there, or away for a moment only: what Java has left is Java's to clear
 * as long as there is one who could.
 */
export function isJavaAbout(view: JobView): boolean {
  for (const instance of view.instances) if (isJavaInstance(instance)) return true
  for (const { isFinal } of view.absences.values()) if (!isFinal) return true
  return view.leader !== undefined && isJavaInstance(view.leader.instance)
}

/** Absent means enabled. */
export function isServerEnabled(view: JobView, ip: string): boolean {
  return view.servers.get(ip) !== 'DISABLED'
}

/**
 * The instances that may own shards, in Java's order: descending by string. One of Java's that is away for a moment is
 * among them: its shards stay where they are.
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
 * Whether an instance is gone for good: an id of ours is never used by a second session, and one of
 * Java's has been away for long enough.
 */
export function isDead(view: JobView, instance: string): boolean {
  if (view.instances.has(instance) || view.alive.has(instance)) return false
  return view.absences.get(instance)?.isFinal !== false
}

/**
 * Java's order of instance ids: descending, by UTF-16 code units. Every strategy builds on it, so that a
 * change of leader between Java and us moves nothing.
 */
export function descending(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? 1 : -1
}

/**
 * Whatever an operator wants of a job changes the job's state with the same transaction: no claim that was planned
 * before succeeds after it.
 */
export function stateCheck(
  { jobState }: JobView,
  { paths }: Pick<Member, 'paths'>,
): TransactionPart[] {
  return jobState === undefined ? [] : [part.check(paths.jobState, jobState.version)]
}
