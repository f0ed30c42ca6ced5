/**
 * A local copy of one job's structure, kept by watches: reading it costs nothing.
 *
 * What exists is known from events alone. Data is fetched only for nodes that a plan reads. Plans are made only while
 * no read is pending (`isSynced`): in between, the replica passes through states that never existed.
 */
import type { Decoded, DecodeProblem } from '../decode/problem.ts'
import { MostlyEmptyMap, MostlyEmptySet } from '../mostly-empty.ts'
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
import { Absences } from './absences.ts'
import { DisabledPeriods } from './disabled-periods.ts'
import { decodeAssignment, type StoredAssignment } from './stored-assignment.ts'
import { isJavaInstance } from './instance-id.ts'
import {
  type Absence,
  type Gap,
  isMixed,
  type ShardNodes,
  type JobView,
  type LeaderNode,
  type MarkNode,
  type OwnerNode,
  type TurnNode,
  type Versioned,
} from './job-view.ts'
import { decodeJobState, type JobState } from './job-state.ts'
import { folders, shardNumber, shardNumbers, locate, type Location } from './location.ts'
import { nodeCountOf } from './node-count.ts'
import type { ShardMark, JobPaths } from './paths.ts'
import { PendingReads } from './pending-reads.ts'

/** How a replica reads. */
export interface ReplicaReader {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<readonly ReadResult[]>
  /** The registry's time. */
  now(): number
}

/** What is different: one node, or anything. */
export type Change = Location | undefined

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type Shard = Writable<ShardNodes>

export class JobReplica implements JobView {
  readonly jobName: string
  readonly paths: JobPaths
  readonly alive: ReadonlySet<string>
  readonly instances: Set<string> = new Set()
  readonly unproven: MostlyEmptySet<string> = new MostlyEmptySet()
  readonly servers: Map<string, string> = new Map()
  readonly failoverShards: MostlyEmptySet<number> = new MostlyEmptySet()
  readonly shards: Map<number, Shard> = new Map()
  readonly triggers: MostlyEmptyMap<string, string> = new MostlyEmptyMap()
  readonly disabledPeriods: DisabledPeriods = new DisabledPeriods()
  readonly folders: Set<string> = new Set()
  config: JobView['config'] = undefined
  leader: LeaderNode | undefined = undefined
  assignment: Versioned<StoredAssignment> | undefined = undefined
  necessary: MarkNode | undefined = undefined
  lastFlag: number | undefined = undefined
  processing = false
  turn: TurnNode | undefined = undefined
  jobState: Versioned<JobState> | undefined = undefined
  /** Nodes that cannot be read, by path: of them the last good value is kept, and nothing is planned on it. */
  readonly problems: MostlyEmptyMap<string, DecodeProblem> = new MostlyEmptyMap()
  /** Grows whenever a run's mark comes or goes. */
  marks = 0
  /** What the node of our own instance says now, if somebody has changed it. */
  instanceData: { readonly instance: string; readonly text: string } | undefined = undefined

  readonly #reader: ReplicaReader
  readonly #changed: (change: Change) => void
  readonly #failed: (error: unknown) => void
  readonly #pendingReads: PendingReads
  #loaded = false
  #readsOwners = false
  readonly #absences = new Absences()
  #self = ''

  constructor(
    jobName: string,
    paths: JobPaths,
    alive: ReadonlySet<string>,
    reader: ReplicaReader,
    changed: (change: Change) => void,
    failed: (error: unknown) => void,
  ) {
    this.jobName = jobName
    this.paths = paths
    this.alive = alive
    this.#reader = reader
    this.#changed = changed
    this.#failed = failed
    this.#pendingReads = new PendingReads({
      read: (parts, onAnswer) => reader.read(parts, onAnswer),
      deliver: (part, result) => this.#deliver(part, result),
      delivered: () => {
        this.#trustEpoch()
        this.#changed(undefined)
      },
      failed,
    })
  }

  /** True while this copy equals what the server had when it last answered. */
  get isSynced(): boolean {
    return this.#loaded && this.#pendingReads.isSettled
  }

  /** Whether the job state or the assignment cannot be read: what is here is what was last known. */
  get isBroken(): boolean {
    return this.problems.size > 0
  }

  /** How many nodes of the job are known here. */
  get size(): number {
    return nodeCountOf(this)
  }

  get readsOwners(): boolean {
    return this.#readsOwners
  }

  get absences(): ReadonlyMap<string, Absence> {
    return this.#absences.all
  }

  get gaps(): ReadonlyMap<string, Gap> {
    return this.#absences.gaps
  }

  /** Java instances that have been away for too long are dead; answers when to look again. */
  settleAbsences(now: number): number | undefined {
    const next = this.#absences.settle(now)
    this.#trustEpoch()
    return next
  }

  /** Whose instance node is our own: 2.x operators write their wishes into it. */
  belongsTo(instance: string): void {
    this.#self = instance
    this.instanceData = undefined
  }

  /** Forgets that anything is known; what is here is what was last known. */
  suspend(): void {
    this.#loaded = false
    this.#pendingReads.clear()
  }

  /** Reads everything, again if need be. */
  load(): void {
    this.suspend()
    this.#loaded = true
    const { paths } = this
    for (const folder of folders) {
      if (folder !== '') this.#pendingReads.ask(read.children(`${paths.root}/${folder}`))
    }
    this.#pendingReads.ask(read.children(paths.assignment))
    this.#pendingReads.ask(read.get(paths.config))
    this.#pendingReads.ask(read.get(paths.leaderInstance))
    this.#pendingReads.ask(read.get(paths.assignment))
    this.#pendingReads.ask(read.get(paths.nextInstanceIp))
    this.#pendingReads.ask(read.get(paths.jobState))
  }

  /** A watch has told of something at the job state. */
  stateTouched(type: WatchEvent['type']): void {
    if (type === 'deleted') this.#removeState()
    this.#pendingReads.touched(this.paths.jobState, type)
    if (type !== 'deleted') this.#pendingReads.ask(read.get(this.paths.jobState))
    this.#changed(undefined)
  }

  /** A watch has told of something below the job's root. */
  touched({ type, path }: WatchEvent): void {
    if (!isWithin(path, this.paths.root)) return
    const location = locate(path.slice(this.paths.root.length + 1))
    if (location === undefined) return
    this.#pendingReads.touched(path, type)
    if (type === 'deleted') this.#remove(location)
    else {
      if (type === 'created') this.#add(location)
      if (this.#needsData(location, type)) this.#pendingReads.ask(read.get(path))
    }
    this.#changed(location)
  }

  #needsData(location: Location, type: WatchEvent['type']): boolean {
    switch (location.kind) {
      case 'config':
      case 'leader':
      case 'epoch':
      case 'necessary':
      case 'server':
      case 'trigger':
      case 'turn':
        return true
      case 'instance':
        // One of Java's has to go with its session.
        if (type === 'created') return isJavaInstance(location.instance)
        return location.instance === this.#self
      case 'owner':
        return this.#readsOwners
      case 'mark':
        if (location.mark === 'running') return this.#readsOwners
        return location.mark !== 'misfire'
      case 'shard':
      case 'failoverShard':
      case 'processing':
      case 'folder':
        return false
    }
  }

  #add(location: Location): void {
    switch (location.kind) {
      case 'instance':
        this.#addInstance(location.instance)
        break
      case 'failoverShard':
        this.failoverShards.add(location.shard)
        break
      case 'shard':
        this.#shard(location.shard)
        break
      case 'owner':
        this.#shard(location.shard).hasOwner = true
        break
      case 'mark':
        this.#mark(location.shard, location.mark, true)
        break
      case 'processing':
        this.processing = true
        break
      case 'folder':
        this.folders.add(location.path)
        break
      case 'epoch':
        this.folders.add('leader/sharding')
        break
      case 'necessary':
        // It may be gone again before it is read.
        this.lastFlag = this.#reader.now()
        break
      case 'config':
      case 'leader':
      case 'server':
      case 'trigger':
      case 'turn':
        // They are there when their data is.
        break
    }
  }

  #remove(location: Location): void {
    switch (location.kind) {
      case 'config':
        this.config = undefined
        break
      case 'leader':
        this.leader = undefined
        break
      case 'epoch':
        this.assignment = undefined
        this.problems.delete(this.paths.assignment)
        this.folders.delete('leader/sharding')
        break
      case 'necessary':
        this.necessary = undefined
        break
      case 'processing':
        this.processing = false
        break
      case 'instance':
        this.instances.delete(location.instance)
        this.unproven.delete(location.instance)
        this.#absences.left(location.instance, this.#reader.now())
        break
      case 'turn':
        this.turn = undefined
        break
      case 'server':
        this.servers.delete(location.ip)
        break
      case 'trigger':
        this.triggers.delete(location.instance)
        break
      case 'failoverShard':
        this.failoverShards.delete(location.shard)
        break
      case 'shard':
        this.shards.delete(location.shard)
        this.disabledPeriods.forget(location.shard)
        break
      case 'owner': {
        const shard = this.shards.get(location.shard)
        if (shard !== undefined) Object.assign(shard, { hasOwner: false, owner: undefined })
        break
      }
      case 'mark':
        if (this.shards.has(location.shard)) this.#mark(location.shard, location.mark, false)
        break
      case 'folder':
        this.folders.delete(location.path)
        break
    }
  }

  /** Somebody of ours is alive. */
  proven(instance: string): void {
    if (!this.unproven.has(instance)) return
    this.#addInstance(instance)
    this.#changed({ kind: 'instance', instance })
  }

  /** Who is alive was read anew. */
  proveAll(): void {
    for (const instance of this.unproven) if (this.alive.has(instance)) this.proven(instance)
  }

  #addInstance(instance: string): void {
    if (!this.#isProven(instance)) {
      this.unproven.add(instance)
      return
    }
    this.unproven.delete(instance)
    this.instances.add(instance)
    this.#heardOf(instance)
  }

  /** A proven instance stays so while its node exists: `S/alive/{id}` deleted by hand does not end its session. */
  #isProven(instance: string): boolean {
    if (instance === this.#self || this.instances.has(instance)) return true
    return isJavaInstance(instance) || this.alive.has(instance)
  }

  /** Somebody is named by a node: one of Java's may be there, or away. */
  #heardOf(instance: string): void {
    if (!isJavaInstance(instance)) return
    if (this.instances.has(instance)) this.#absences.returned(instance, this.#reader.now())
    else this.#absences.left(instance, this.#reader.now())
    this.#readOwners()
  }

  /** With Java about, who owns and runs what stands in Java's nodes alone. */
  #readOwners(): void {
    if (this.#readsOwners) return
    this.#readsOwners = true
    for (const [number, { hasOwner, running }] of this.shards) {
      if (hasOwner) this.#pendingReads.ask(read.get(this.paths.owner(number)))
      if (running) this.#pendingReads.ask(read.get(this.paths.mark(number, 'running')))
    }
  }

  /** Nobody of Java's is left, and the epoch says what the shards' nodes say: one node says it all. */
  #trustEpoch(): void {
    if (!this.#readsOwners || !this.isSynced || isMixed(this)) return
    const owners = this.assignment?.value.owners ?? []
    for (const [number, { hasOwner, owner }] of this.shards) {
      if (hasOwner && owner?.instance !== owners[number]) return
    }
    this.#readsOwners = false
    for (const shard of this.shards.values()) {
      shard.owner = undefined
      shard.runner = undefined
    }
  }

  #shard(number: number): Shard {
    let shard = this.shards.get(number)
    if (shard === undefined) {
      shard = {
        hasOwner: false,
        owner: undefined,
        running: false,
        runner: undefined,
        misfire: false,
        disabled: false,
        failover: undefined,
        failovering: undefined,
      }
      this.shards.set(number, shard)
    }
    return shard
  }

  #mark(number: number, mark: ShardMark, present: boolean): void {
    const shard = this.#shard(number)
    if (mark === 'running') this.marks += 1
    if (mark === 'disabled') this.disabledPeriods.seen(number, present, this.#reader.now())
    if (mark === 'running' || mark === 'misfire' || mark === 'disabled') shard[mark] = present
    if (present) return
    if (mark === 'running') shard.runner = undefined
    if (mark === 'failover' || mark === 'failovering') shard[mark] = undefined
  }

  #deliver(part: ReadPart, result: ReadResult): void {
    if ('error' in result && !isRegistryError(result.error, 'REGISTRY_NO_NODE')) {
      // Unknown is not absent: nothing is believed until all of it has been read.
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
    if (folder.startsWith('sharding/')) {
      this.#deliverMarks(path, folder, names)
      return
    }
    if (names === undefined) this.folders.delete(folder)
    else this.folders.add(folder)
    const there = names ?? []
    switch (folder) {
      case 'instances': {
        const named = new Set(there)
        for (const instance of [...this.instances].filter((one) => !named.has(one))) {
          this.instances.delete(instance)
          this.#absences.left(instance, this.#reader.now())
        }
        this.unproven.clear()
        for (const instance of there) {
          this.#addInstance(instance)
          if (isJavaInstance(instance))
            this.#pendingReads.ask(read.get(this.paths.instance(instance)))
        }
        break
      }
      case 'servers':
        this.#fetchAll(this.servers, there, (ip) => this.paths.server(ip))
        break
      case 'trigger':
        this.#fetchAll(this.triggers, there, (instance) => this.paths.trigger(instance))
        break
      case 'leader/sharding':
        this.processing = there.includes('processing')
        this.necessary = undefined
        if (there.includes('necessary')) this.#pendingReads.ask(read.get(this.paths.necessary))
        break
      case 'leader/failover/items':
        this.failoverShards.clear()
        for (const shard of shardNumbers(there)) this.failoverShards.add(shard)
        break
      case 'sharding':
        this.disabledPeriods.keepOnly(shardNumbers(there))
        this.shards.clear()
        for (const number of shardNumbers(there)) {
          this.#shard(number)
          this.#pendingReads.ask(read.children(this.paths.shard(number)))
        }
        break
      default:
        break
    }
  }

  #fetchAll(
    known: { clear(): void },
    names: readonly string[],
    pathOf: (name: string) => string,
  ): void {
    known.clear()
    for (const name of names) this.#pendingReads.ask(read.get(pathOf(name)))
  }

  #deliverMarks(path: string, folder: string, names: readonly string[] | undefined): void {
    const number = shardNumber(folder.slice('sharding/'.length))
    if (number === undefined) return
    this.shards.delete(number)
    if (names === undefined) return this.disabledPeriods.forget(number)
    const shard = this.#shard(number)
    shard.hasOwner = names.includes('instance')
    shard.running = names.includes('running')
    shard.misfire = names.includes('misfire')
    shard.disabled = names.includes('disabled')
    this.disabledPeriods.seen(number, shard.disabled, this.#reader.now())
    for (const mark of ['failover', 'failovering', 'disabled'] as const) {
      if (names.includes(mark)) this.#pendingReads.ask(read.get(`${path}/${mark}`))
    }
    if (!this.#readsOwners) return
    if (shard.hasOwner) this.#pendingReads.ask(read.get(this.paths.owner(number)))
    if (shard.running) this.#pendingReads.ask(read.get(this.paths.mark(number, 'running')))
  }

  #deliverData(path: string, content: NodeContent | undefined): void {
    if (path === this.paths.jobState) {
      if (content === undefined) this.#removeState()
      else {
        const value = this.#decoded(path, decodeJobState(toText(content.data), path))
        if (value !== undefined) this.jobState = { value, version: content.stat.version }
      }
      return
    }
    const location = locate(path.slice(this.paths.root.length + 1))
    if (location === undefined) return
    if (content === undefined) this.#remove(location)
    else this.#deliverContent(location, toText(content.data), content)
  }

  #removeState(): void {
    this.jobState = undefined
    this.problems.delete(this.paths.jobState)
  }

  #decoded<T>(path: string, { value, problem }: Decoded<T>): T | undefined {
    if (problem === undefined) this.problems.delete(path)
    else this.problems.set(path, problem)
    return value
  }

  #deliverContent(location: Location, text: string, { stat }: NodeContent): void {
    const { version, czxid, ctime, mtime } = stat
    switch (location.kind) {
      case 'config':
        this.config = { text, version, mtime: Number(mtime) }
        break
      case 'leader':
        this.leader = { instance: text, version }
        this.#heardOf(text)
        break
      case 'epoch': {
        this.folders.add('leader/sharding')
        const value = this.#decoded(
          this.paths.assignment,
          decodeAssignment(text, this.paths.assignment),
        )
        if (value !== undefined) this.assignment = { value, version }
        // One of Java's may have been gone before this instance came, and have left shards and runs.
        for (const owner of new Set(value?.owners)) if (owner !== undefined) this.#heardOf(owner)
        // Without data it is Java's: who owns what has to be read from the shards.
        if (text === '') this.#readOwners()
        break
      }
      case 'necessary':
        this.necessary = { czxid, ctime: Number(ctime) }
        this.lastFlag = Number(ctime)
        break
      case 'turn':
        this.turn = { ip: text, ctime: Number(ctime) }
        break
      case 'server':
        this.servers.set(location.ip, text)
        break
      case 'trigger':
        this.triggers.set(location.instance, text)
        break
      case 'instance':
        if (location.instance === this.#self) {
          this.instanceData = { instance: location.instance, text }
        }
        // One of Java's form that does not go with a session was made by hand.
        if (isJavaInstance(location.instance) && stat.ephemeralOwner === 0n) {
          this.instances.delete(location.instance)
          this.unproven.add(location.instance)
        }
        break
      case 'owner': {
        const owner: OwnerNode = { instance: text, version, czxid }
        Object.assign(this.#shard(location.shard), { hasOwner: true, owner })
        this.#heardOf(text)
        break
      }
      case 'mark': {
        if (location.mark === 'disabled') {
          this.disabledPeriods.began(location.shard, Number(ctime))
          break
        }
        const shard = this.#shard(location.shard)
        this.#heardOf(text)
        if (location.mark === 'running') shard.runner = text
        else if (location.mark === 'failover' || location.mark === 'failovering') {
          shard[location.mark] = text
        }
        break
      }
      case 'shard':
      case 'failoverShard':
      case 'processing':
      case 'folder':
        break
    }
  }
}
