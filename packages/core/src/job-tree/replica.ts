/**
 * A local copy of one job's structure, kept by watches: reading it costs no request.
 *
 * Events alone tell which nodes exist. The replica reads data only of nodes that a plan needs. Plans are made only
 * while no read is pending (`isSynced`): in between, the replica passes through states that never existed.
 */
import { isWithin } from '../node-path.ts'
import type { WatchEvent } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import {
  type NodeContent,
  read,
  type ReadPart,
  type ReadResult,
  toText,
} from '../registry/transaction.ts'
import { JobNodes } from './job-nodes.ts'
import { locate, type Location, shardNumber } from './location.ts'
import type { JobPaths } from './paths.ts'
import { PendingReads } from './pending-reads.ts'
import {
  needsReading,
  readsOfFolder,
  readsOfJob,
  readsOfOwners,
  readsOfShard,
} from './replica-reads.ts'

/** The registry access of a replica. */
export interface ReplicaReader {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<readonly ReadResult[]>
  /** The registry's time. */
  now(): number
}

/** The location that has changed; undefined for any. */
export type Change = Location | undefined

export class JobReplica extends JobNodes {
  readonly #changed: (change: Change) => void
  readonly #failed: (error: unknown) => void
  readonly #pendingReads: PendingReads
  #loaded = false

  constructor(
    jobName: string,
    paths: JobPaths,
    alive: ReadonlySet<string>,
    reader: ReplicaReader,
    changed: (change: Change) => void,
    failed: (error: unknown) => void,
  ) {
    super(jobName, paths, alive, () => reader.now())
    this.#changed = changed
    this.#failed = failed
    this.#pendingReads = new PendingReads({
      read: (parts, onAnswer) => reader.read(parts, onAnswer),
      deliver: (part, result) => this.#deliver(part, result),
      delivered: () => {
        this.#trustIfSynced()
        this.#changed(undefined)
      },
      failed,
    })
  }

  /** True while this copy equals the state of the server at its last answer. */
  get isSynced(): boolean {
    return this.#loaded && this.#pendingReads.isSettled
  }

  /** Whether the job state or the assignment cannot be read: then this copy shows their last known values. */
  get isBroken(): boolean {
    return this.problems.size > 0
  }

  /** The number of the job's nodes in this copy. */
  get size(): number {
    const { instances, unproven, servers, shards, failoverShards, triggers, folders } = this
    const { config, leader, assignment, necessary, turn, jobState } = this
    const single = [config, leader, assignment, necessary, turn, jobState]
    let count = single.filter((node) => node !== undefined).length
    const groups = [instances, unproven, servers, shards, failoverShards, triggers, folders]
    for (const { size } of groups) count += size
    for (const { hasOwner, running, misfire, disabled, failover, failovering } of shards.values()) {
      for (const mark of [hasOwner, running, misfire, disabled, failover, failovering]) {
        if (mark !== undefined && mark !== false) count += 1
      }
    }
    return count
  }

  /** Declares Java instances dead that have been absent for too long; returns when to check again. */
  settleAbsences(now: number): number | undefined {
    const next = this.instanceNodes.settleAbsences(now)
    this.#trustIfSynced()
    return next
  }

  /** Marks the copy as out of sync; it keeps the last known values. */
  suspend(): void {
    this.#loaded = false
    this.#pendingReads.clear()
  }

  /** The registry has lost data: the disabled periods of the shards are unknown. */
  dataLost(): void {
    this.shardNodes.disabledPeriods.clear()
  }

  /** Reads everything, again if needed. */
  load(): void {
    this.suspend()
    this.#loaded = true
    this.#ask(readsOfJob(this.paths))
  }

  /** A watch has reported an event on the job state. */
  stateTouched(type: WatchEvent['type']): void {
    const { jobState } = this.paths
    if (type === 'deleted') this.stateDeleted()
    this.#pendingReads.touched(jobState, type)
    if (type !== 'deleted') this.#pendingReads.ask(read.get(jobState))
    this.#changed(undefined)
  }

  /** A watch has reported an event below the job's root. */
  touched({ type, path }: WatchEvent): void {
    if (!isWithin(path, this.paths.root)) return
    const location = locate(path.slice(this.paths.root.length + 1))
    if (location === undefined) return
    this.#pendingReads.touched(path, type)
    if (type === 'deleted') this.deleted(location)
    else {
      if (type === 'created') this.created(location)
      if (needsReading(location, type, this.instanceNodes.own, this.readsOwners)) {
        this.#pendingReads.ask(read.get(path))
      }
    }
    this.#changed(location)
  }

  /** A native instance is alive. */
  proven(instance: string): void {
    if (!this.unproven.has(instance)) return
    this.instanceCreated(instance)
    this.#changed({ kind: 'instance', instance })
  }

  /** The live instances were read again. */
  proveAll(): void {
    for (const instance of this.unproven) if (this.alive.has(instance)) this.proven(instance)
  }

  protected readOwners(): void {
    this.#ask(readsOfOwners(this.paths, this.shards))
  }

  #ask(parts: readonly ReadPart[]): void {
    for (const part of parts) this.#pendingReads.ask(part)
  }

  #trustIfSynced(): void {
    if (this.isSynced) this.trustAssignment()
  }

  #deliver(part: ReadPart, result: ReadResult): void {
    if ('error' in result && !isRegistryError(result.error, 'REGISTRY_NO_NODE')) {
      // A failed read does not mean that the node is absent: the copy stays out of sync until everything is read.
      this.suspend()
      this.#failed(result.error)
      return
    }
    if (part.type === 'children') {
      this.#deliverChildren(part.path, 'children' in result ? result.children : undefined)
    } else {
      this.#deliverData(part.path, 'data' in result ? result : undefined)
    }
  }

  #deliverChildren(path: string, names: readonly string[] | undefined): void {
    const folder = path.slice(this.paths.root.length + 1)
    if (!folder.startsWith('sharding/')) {
      this.listed(folder, names)
      this.#ask(readsOfFolder(this.paths, folder, names ?? []))
      return
    }
    const shard = shardNumber(folder.slice('sharding/'.length))
    if (shard === undefined) return
    this.shardNodes.childrenListed(shard, names)
    this.#ask(readsOfShard(this.paths, shard, names ?? [], this.readsOwners))
  }

  #deliverData(path: string, content: NodeContent | undefined): void {
    if (path === this.paths.jobState) {
      if (content === undefined) this.stateDeleted()
      else this.stateStored(toText(content.data), content.stat.version)
      return
    }
    const location = locate(path.slice(this.paths.root.length + 1))
    if (location === undefined) return
    if (content === undefined) this.deleted(location)
    else this.stored(location, toText(content.data), content.stat)
  }
}
