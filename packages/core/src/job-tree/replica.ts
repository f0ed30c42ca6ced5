/**
 * A local copy of one job's structure, kept by watches: reading it costs nothing.
 *
 * What exists is known from events alone. Data is fetched only for nodes that a plan reads. Plans are
 * made only while no question is open (`isQuiet`): in between the copy passes through states that never
 * were.
 */
import {
  isWithin,
  isZooKeeperError,
  type MultiReadResult,
  type NodeContent,
  read,
  type ReadPart,
  toText,
  type WatchEvent,
} from '@elasticjob/zookeeper'

import { MostlyEmptyMap, MostlyEmptySet } from '../mostly-empty.ts'
import { Absences } from './absences.ts'
import { decodeEpoch, type Epoch } from './epoch.ts'
import { isJavaInstance } from './instance-id.ts'
import {
  type Absence,
  type Gap,
  isMixed,
  type ItemNodes,
  type JobView,
  type LeaderNode,
  type MarkNode,
  type OwnerNode,
  type TurnNode,
  type Versioned,
} from './job-view.ts'
import { decodeJobWord, type JobWord } from './job-word.ts'
import { folders, itemNumber, locate, type Location } from './location.ts'
import type { ItemMark, JobPaths } from './paths.ts'
import { Questions } from './questions.ts'

/** How a replica reads. */
export interface ReplicaReader {
  read(parts: readonly ReadPart[], onAnswer: () => void): Promise<readonly MultiReadResult[]>
  /** The registry's time. */
  now(): number
}

/** What is different: one node, or anything. */
export type Change = Location | undefined

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type Item = Writable<ItemNodes>

export class JobReplica implements JobView {
  readonly jobName: string
  readonly paths: JobPaths
  readonly alive: ReadonlySet<string>
  readonly instances: Set<string> = new Set()
  readonly servers: Map<string, string> = new Map()
  readonly failoverItems: MostlyEmptySet<number> = new MostlyEmptySet()
  readonly items: Map<number, Item> = new Map()
  readonly triggers: MostlyEmptyMap<string, string> = new MostlyEmptyMap()
  readonly folders: Set<string> = new Set()
  config: JobView['config'] = undefined
  leader: LeaderNode | undefined = undefined
  epoch: Versioned<Epoch> | undefined = undefined
  necessary: MarkNode | undefined = undefined
  lastFlag: number | undefined = undefined
  processing = false
  turn: TurnNode | undefined = undefined
  word: Versioned<JobWord> | undefined = undefined
  /** Grows whenever a run's mark comes or goes. */
  marks = 0
  /** What the node of our own instance says now, if somebody has changed it. */
  instanceData: { readonly instance: string; readonly text: string } | undefined = undefined

  readonly #reader: ReplicaReader
  readonly #changed: (change: Change) => void
  readonly #failed: (error: unknown) => void
  readonly #questions: Questions
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
    this.#questions = new Questions({
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
  get isQuiet(): boolean {
    return this.#loaded && this.#questions.isSettled
  }

  /** How many nodes of the job are known here. */
  get size(): number {
    const { instances, servers, items, failoverItems, triggers } = this
    const single = [this.config, this.leader, this.epoch, this.necessary, this.turn, this.word]
    let marks = 0
    for (const { hasOwner, running, misfire, disabled, failover, failovering } of items.values()) {
      for (const mark of [hasOwner, running, misfire, disabled, failover, failovering]) {
        if (mark !== undefined && mark !== false) marks += 1
      }
    }
    return (
      instances.size +
      servers.size +
      items.size +
      failoverItems.size +
      triggers.size +
      this.folders.size +
      single.filter((node) => node !== undefined).length +
      marks
    )
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
    this.#questions.clear()
  }

  /** Reads everything, again if need be. */
  load(): void {
    this.suspend()
    this.#loaded = true
    const { paths } = this
    for (const folder of folders) {
      if (folder !== '') this.#questions.ask(read.children(`${paths.root}/${folder}`))
    }
    this.#questions.ask(read.children(paths.epoch))
    this.#questions.ask(read.get(paths.config))
    this.#questions.ask(read.get(paths.leaderInstance))
    this.#questions.ask(read.get(paths.epoch))
    this.#questions.ask(read.get(paths.nextInstanceIp))
    this.#questions.ask(read.get(paths.word))
  }

  /** A watch has told of something at the job's word. */
  wordTouched(type: WatchEvent['type']): void {
    if (type === 'deleted') this.word = undefined
    this.#questions.touched(this.paths.word, type)
    if (type !== 'deleted') this.#questions.ask(read.get(this.paths.word))
    this.#changed(undefined)
  }

  /** A watch has told of something below the job's root. */
  touched({ type, path }: WatchEvent): void {
    if (type === 'childrenChanged' || !isWithin(path, this.paths.root)) return
    const location = locate(path.slice(this.paths.root.length + 1))
    if (location === undefined) return
    this.#questions.touched(path, type)
    if (type === 'deleted') this.#remove(location)
    else {
      if (type === 'created') this.#add(location)
      if (this.#needsData(location, type)) this.#questions.ask(read.get(path))
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
        return type === 'dataChanged' && location.instance === this.#self
      case 'owner':
        return this.#readsOwners
      case 'mark':
        if (location.mark === 'running') return this.#readsOwners
        return location.mark === 'failover' || location.mark === 'failovering'
      case 'item':
      case 'failoverItem':
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
      case 'failoverItem':
        this.failoverItems.add(location.item)
        break
      case 'item':
        this.#item(location.item)
        break
      case 'owner':
        this.#item(location.item).hasOwner = true
        break
      case 'mark':
        this.#mark(location.item, location.mark, true)
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
        this.epoch = undefined
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
      case 'failoverItem':
        this.failoverItems.delete(location.item)
        break
      case 'item':
        this.items.delete(location.item)
        break
      case 'owner': {
        const item = this.items.get(location.item)
        if (item !== undefined) Object.assign(item, { hasOwner: false, owner: undefined })
        break
      }
      case 'mark':
        if (this.items.has(location.item)) this.#mark(location.item, location.mark, false)
        break
      case 'folder':
        this.folders.delete(location.path)
        break
    }
  }

  #addInstance(instance: string): void {
    this.instances.add(instance)
    this.#heardOf(instance)
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
    for (const [number, { hasOwner, running }] of this.items) {
      if (hasOwner) this.#questions.ask(read.get(this.paths.owner(number)))
      if (running) this.#questions.ask(read.get(this.paths.mark(number, 'running')))
    }
  }

  /** Nobody of Java's is left, and the epoch says what the items' nodes say: one node says it all. */
  #trustEpoch(): void {
    if (!this.#readsOwners || !this.isQuiet || isMixed(this)) return
    const owners = this.epoch?.value.owners ?? []
    for (const [number, { hasOwner, owner }] of this.items) {
      if (hasOwner && owner?.instance !== owners[number]) return
    }
    this.#readsOwners = false
    for (const item of this.items.values()) {
      item.owner = undefined
      item.runner = undefined
    }
  }

  #item(number: number): Item {
    let item = this.items.get(number)
    if (item === undefined) {
      item = {
        hasOwner: false,
        owner: undefined,
        running: false,
        runner: undefined,
        misfire: false,
        disabled: false,
        failover: undefined,
        failovering: undefined,
      }
      this.items.set(number, item)
    }
    return item
  }

  #mark(number: number, mark: ItemMark, present: boolean): void {
    const item = this.#item(number)
    if (mark === 'running') this.marks += 1
    if (mark === 'running' || mark === 'misfire' || mark === 'disabled') item[mark] = present
    if (present) return
    if (mark === 'running') item.runner = undefined
    if (mark === 'failover' || mark === 'failovering') item[mark] = undefined
  }

  #deliver(part: ReadPart, result: MultiReadResult): void {
    if ('error' in result && !isZooKeeperError(result.error, 'ZK_NO_NODE')) {
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
        const before = [...this.instances]
        this.instances.clear()
        for (const instance of there) this.#addInstance(instance)
        const gone = before.filter((instance) => !this.instances.has(instance))
        for (const instance of gone) this.#absences.left(instance, this.#reader.now())
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
        if (there.includes('necessary')) this.#questions.ask(read.get(this.paths.necessary))
        break
      case 'leader/failover/items':
        this.failoverItems.clear()
        for (const item of numbersIn(there)) this.failoverItems.add(item)
        break
      case 'sharding':
        this.items.clear()
        for (const number of numbersIn(there)) {
          this.#item(number)
          this.#questions.ask(read.children(this.paths.item(number)))
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
    for (const name of names) this.#questions.ask(read.get(pathOf(name)))
  }

  #deliverMarks(path: string, folder: string, names: readonly string[] | undefined): void {
    const number = itemNumber(folder.slice('sharding/'.length))
    if (number === undefined) return
    this.items.delete(number)
    if (names === undefined) return
    const item = this.#item(number)
    item.hasOwner = names.includes('instance')
    item.running = names.includes('running')
    item.misfire = names.includes('misfire')
    item.disabled = names.includes('disabled')
    for (const mark of ['failover', 'failovering'] as const) {
      if (names.includes(mark)) this.#questions.ask(read.get(`${path}/${mark}`))
    }
    if (!this.#readsOwners) return
    if (item.hasOwner) this.#questions.ask(read.get(this.paths.owner(number)))
    if (item.running) this.#questions.ask(read.get(this.paths.mark(number, 'running')))
  }

  #deliverData(path: string, content: NodeContent | undefined): void {
    if (path === this.paths.word) {
      this.word =
        content === undefined
          ? undefined
          : { value: decodeJobWord(toText(content.data)), version: content.stat.version }
      return
    }
    const location = locate(path.slice(this.paths.root.length + 1))
    if (location === undefined) return
    if (content === undefined) this.#remove(location)
    else this.#deliverContent(location, toText(content.data), content)
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
      case 'epoch':
        this.folders.add('leader/sharding')
        this.epoch = { value: decodeEpoch(text), version }
        // Without data it is Java's: who owns what has to be read from the items.
        if (text === '') this.#readOwners()
        break
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
        this.instanceData = { instance: location.instance, text }
        break
      case 'owner': {
        const owner: OwnerNode = { instance: text, version, czxid }
        Object.assign(this.#item(location.item), { hasOwner: true, owner })
        this.#heardOf(text)
        break
      }
      case 'mark': {
        const item = this.#item(location.item)
        this.#heardOf(text)
        if (location.mark === 'running') item.runner = text
        else if (location.mark === 'failover' || location.mark === 'failovering') {
          item[location.mark] = text
        }
        break
      }
      case 'item':
      case 'failoverItem':
      case 'processing':
      case 'folder':
        break
    }
  }
}

function numbersIn(names: readonly string[]): number[] {
  return names.map(itemNumber).filter((item) => item !== undefined)
}
