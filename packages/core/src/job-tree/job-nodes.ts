/** The nodes of a job as typed values: which nodes exist, and the content of those that plans read. */
import type { Decoded, DecodeProblem } from '../decode/problem.ts'
import { MostlyEmptyMap, MostlyEmptySet } from '../mostly-empty.ts'
import type { Stat } from '../registry/transaction.ts'
import type { DisabledPeriods } from './disabled-periods.ts'
import { isJavaInstance } from './instance-id.ts'
import { JobInstances } from './job-instances.ts'
import { JobShards } from './job-shards.ts'
import { decodeJobState, type JobState } from './job-state.ts'
import {
  type Absence,
  type Gap,
  isMixed,
  type JobView,
  type LeaderNode,
  type MarkNode,
  type ShardNodes,
  type TurnNode,
  type Versioned,
} from './job-view.ts'
import { type Location, shardNumbers } from './location.ts'
import type { JobPaths } from './paths.ts'
import { decodeAssignment, type StoredAssignment } from './stored-assignment.ts'

/** The data in the node of this instance. */
interface OwnInstance {
  readonly instance: string
  readonly text: string
}

export abstract class JobNodes implements JobView {
  readonly jobName: string
  readonly paths: JobPaths
  readonly alive: ReadonlySet<string>
  readonly instances: ReadonlySet<string>
  readonly unproven: ReadonlySet<string>
  readonly absences: ReadonlyMap<string, Absence>
  readonly gaps: ReadonlyMap<string, Gap>
  readonly shards: ReadonlyMap<number, ShardNodes>
  readonly disabledPeriods: Pick<DisabledPeriods, 'of' | 'endOf'>
  readonly #now: () => number
  protected readonly instanceNodes: JobInstances
  protected readonly shardNodes: JobShards
  readonly #servers = new Map<string, string>()
  readonly #triggers = new MostlyEmptyMap<string, string>()
  readonly #failoverShards = new MostlyEmptySet<number>()
  readonly #folders = new Set<string>()
  readonly #problems = new MostlyEmptyMap<string, DecodeProblem>()
  readonly servers: ReadonlyMap<string, string> = this.#servers
  readonly triggers: ReadonlyMap<string, string> = this.#triggers
  readonly failoverShards: ReadonlySet<number> = this.#failoverShards
  readonly folders: ReadonlySet<string> = this.#folders
  /** Nodes that cannot be read, by path. Their last good value is kept, but no plan uses it. */
  readonly problems: ReadonlyMap<string, DecodeProblem> = this.#problems
  #config: JobView['config']
  #leader: LeaderNode | undefined
  #assignment: Versioned<StoredAssignment> | undefined
  #necessary: MarkNode | undefined
  #lastFlag: number | undefined
  #isProcessing = false
  #turn: TurnNode | undefined
  #jobState: Versioned<JobState> | undefined
  #readsOwners = false
  #instanceData: OwnInstance | undefined

  /** `now`: the registry's time. */
  constructor(jobName: string, paths: JobPaths, alive: ReadonlySet<string>, now: () => number) {
    this.jobName = jobName
    this.paths = paths
    this.alive = alive
    this.#now = now
    this.instanceNodes = new JobInstances(alive, now)
    this.shardNodes = new JobShards(now)
    this.instances = this.instanceNodes.proven
    this.unproven = this.instanceNodes.unproven
    this.absences = this.instanceNodes.absences
    this.gaps = this.instanceNodes.gaps
    this.shards = this.shardNodes.all
    this.disabledPeriods = this.shardNodes.disabledPeriods
  }

  get config(): JobView['config'] {
    return this.#config
  }

  get leader(): LeaderNode | undefined {
    return this.#leader
  }

  get assignment(): Versioned<StoredAssignment> | undefined {
    return this.#assignment
  }

  get necessary(): MarkNode | undefined {
    return this.#necessary
  }

  get lastFlag(): number | undefined {
    return this.#lastFlag
  }

  get processing(): boolean {
    return this.#isProcessing
  }

  get turn(): TurnNode | undefined {
    return this.#turn
  }

  get jobState(): Versioned<JobState> | undefined {
    return this.#jobState
  }

  get readsOwners(): boolean {
    return this.#readsOwners
  }

  /** Counts the creations and deletions of `running` marks. */
  get marks(): number {
    return this.shardNodes.marks
  }

  /** The data in the node of this instance, if another client has changed it. */
  get instanceData(): OwnInstance | undefined {
    return this.#instanceData
  }

  /** Sets the id of this instance: operators of 2.x write their requests into its node. */
  belongsTo(instance: string): void {
    this.instanceNodes.belongsTo(instance)
    this.#instanceData = undefined
  }

  /** The request in the node of this instance is being handled. */
  acceptInstanceData(): void {
    this.#instanceData = undefined
  }

  /** Reads the owners from the shard nodes: in mixed mode only these nodes say who owns a shard. */
  protected abstract readOwners(): void

  /** A node was created. A node whose content matters is added when it has been read. */
  protected created(at: Location): void {
    if (at.kind === 'instance') this.instanceCreated(at.instance)
    else if (at.kind === 'shard') this.shardNodes.created(at.shard)
    else if (at.kind === 'owner') this.shardNodes.ownerCreated(at.shard)
    else if (at.kind === 'mark') this.shardNodes.markCreated(at.shard, at.mark)
    else if (at.kind === 'failoverShard') this.#failoverShards.add(at.shard)
    else if (at.kind === 'processing') this.#isProcessing = true
    else if (at.kind === 'folder') this.#folders.add(at.path)
    else if (at.kind === 'epoch') this.#folders.add('leader/sharding')
    // The node may be deleted again before it is read.
    else if (at.kind === 'necessary') this.#lastFlag = this.#now()
  }

  /** The node of an instance was created, or the instance has since been seen alive. */
  protected instanceCreated(instance: string): void {
    this.instanceNodes.created(instance)
    this.#named(instance)
  }

  protected deleted(at: Location): void {
    if (at.kind === 'config') this.#config = undefined
    else if (at.kind === 'leader') this.#leader = undefined
    else if (at.kind === 'epoch') {
      this.#assignment = undefined
      this.#problems.delete(this.paths.assignment)
      this.#folders.delete('leader/sharding')
    } else if (at.kind === 'necessary') this.#necessary = undefined
    else if (at.kind === 'processing') this.#isProcessing = false
    else if (at.kind === 'turn') this.#turn = undefined
    else if (at.kind === 'instance') this.instanceNodes.deleted(at.instance)
    else if (at.kind === 'server') this.#servers.delete(at.ip)
    else if (at.kind === 'trigger') this.#triggers.delete(at.instance)
    else if (at.kind === 'failoverShard') this.#failoverShards.delete(at.shard)
    else if (at.kind === 'shard') this.shardNodes.deleted(at.shard)
    else if (at.kind === 'owner') this.shardNodes.ownerDeleted(at.shard)
    else if (at.kind === 'mark') this.shardNodes.markDeleted(at.shard, at.mark)
    else if (at.kind === 'folder') this.#folders.delete(at.path)
  }

  /** A node was read. */
  protected stored(at: Location, text: string, stat: Stat): void {
    const { version, czxid } = stat
    const ctime = Number(stat.ctime)
    if (at.kind === 'config') this.#config = { text, version, mtime: Number(stat.mtime) }
    else if (at.kind === 'epoch') this.#assignmentStored(text, version)
    else if (at.kind === 'turn') this.#turn = { ip: text, ctime }
    else if (at.kind === 'server') this.#servers.set(at.ip, text)
    else if (at.kind === 'trigger') this.#triggers.set(at.instance, text)
    else if (at.kind === 'instance') this.#instanceStored(at.instance, text, stat)
    else if (at.kind === 'leader') {
      this.#leader = { instance: text, version }
      this.#named(text)
    } else if (at.kind === 'necessary') {
      this.#necessary = { czxid, ctime }
      this.#lastFlag = ctime
    } else if (at.kind === 'owner') {
      this.shardNodes.ownerStored(at.shard, { instance: text, version, czxid })
      this.#named(text)
    } else if (at.kind === 'mark' && at.mark === 'disabled') {
      this.shardNodes.disabledPeriods.began(at.shard, ctime)
    } else if (at.kind === 'mark') {
      this.shardNodes.markStored(at.shard, at.mark, text)
      this.#named(text)
    }
  }

  protected stateStored(text: string, version: number): void {
    const value = this.#decoded(this.paths.jobState, decodeJobState(text, this.paths.jobState))
    if (value !== undefined) this.#jobState = { value, version }
  }

  protected stateDeleted(): void {
    this.#jobState = undefined
    this.#problems.delete(this.paths.jobState)
  }

  /** A folder was read: the names of its children, or undefined if it does not exist. */
  protected listed(folder: string, names: readonly string[] | undefined): void {
    if (names === undefined) this.#folders.delete(folder)
    else this.#folders.add(folder)
    const there = names ?? []
    if (folder === 'instances') {
      this.instanceNodes.listed(there)
      for (const instance of there) this.#named(instance)
    } else if (folder === 'servers') this.#servers.clear()
    else if (folder === 'trigger') this.#triggers.clear()
    else if (folder === 'sharding') this.shardNodes.listed(shardNumbers(there))
    else if (folder === 'leader/sharding') {
      this.#isProcessing = there.includes('processing')
      this.#necessary = undefined
    } else if (folder === 'leader/failover/items') {
      this.#failoverShards.clear()
      for (const shard of shardNumbers(there)) this.#failoverShards.add(shard)
    }
  }

  /** Java has left the job, and the assignment agrees with the shard nodes: from now on read only the assignment. */
  protected trustAssignment(): void {
    if (!this.#readsOwners || isMixed(this)) return
    const owners = this.#assignment?.value.owners ?? []
    for (const [number, { hasOwner, owner }] of this.shards) {
      if (hasOwner && owner?.instance !== owners[number]) return
    }
    this.#readsOwners = false
    this.shardNodes.forgetNames()
  }

  #instanceStored(instance: string, text: string, { ephemeralOwner }: Stat): void {
    if (instance === this.instanceNodes.own) this.#instanceData = { instance, text }
    if (isJavaInstance(instance) && ephemeralOwner === 0n) this.instanceNodes.disproved(instance)
  }

  #assignmentStored(text: string, version: number): void {
    this.#folders.add('leader/sharding')
    const { assignment } = this.paths
    const value = this.#decoded(assignment, decodeAssignment(text, assignment))
    if (value !== undefined) this.#assignment = { value, version }
    // A Java instance may have died before this instance joined, and have left shards and runs.
    for (const owner of new Set(value?.owners)) if (owner !== undefined) this.#named(owner)
    // A node without data is Java's: the owners have to be read from the shard nodes.
    if (text === '') this.#wantOwners()
  }

  /** A node names an instance. A Java instance may be present or absent. */
  #named(instance: string): void {
    if (!isJavaInstance(instance)) return
    this.instanceNodes.javaNamed(instance)
    this.#wantOwners()
  }

  #wantOwners(): void {
    if (this.#readsOwners) return
    this.#readsOwners = true
    this.readOwners()
  }

  #decoded<T>(path: string, { value, problem }: Decoded<T>): T | undefined {
    if (problem === undefined) this.#problems.delete(path)
    else this.#problems.set(path, problem)
    return value
  }
}
