/**
 * A subtree of the server kept in memory through one recursive watch: reading it costs nothing.
 *
 * What the session's states mean for the caller: on `session:suspended` the cache is stale and says
 * so; what it holds is what was last known. After a reconnect or a renewed session nothing of what
 * happened meanwhile is replayed by the server, so everything is read again; differences are told as
 * changes, and `cache:current` says when the cache has caught up.
 *
 * Order: the server sends the event of a change before any reply that shows it. A reply is therefore
 * newer than every event that came before it. All that arrives passes through one queue, in which a
 * change waits until its node has been read; changes are told in the order of the queue.
 *
 * A recursive watch does not report that a node's list of children changed. The stat that is kept is
 * that of the last time the node itself was read: its `numChildren`, `cversion` and `pzxid` may be
 * older than its children here, which are right.
 */
import { EventEmitter } from 'node:events'

import type { MultiReadResult, NodeContent, Watch, ZooKeeper } from '../client.ts'
import { Deferred } from '../deferred.ts'
import { isZooKeeperError, ZooKeeperError } from '../errors.ts'
import { Fifo } from '../fifo.ts'
import type { Stat } from '../jute/records.ts'
import { childOf, isWithin, validatePath } from '../paths.ts'
import type { WatchEvent } from '../session/watch-registry.ts'
import { type Answer, TreeLoader } from './tree-loader.ts'
import { TreeStore } from './tree-store.ts'

export interface CachedNode extends NodeContent {
  readonly path: string
}

export interface TreeCacheEvents {
  'node:created': [CachedNode]
  'node:changed': [CachedNode]
  'node:removed': [{ path: string }]
  /** Everything has been read, for the first time or again: the cache equals the server. */
  'cache:current': [{ zxid: bigint }]
  /** The connection is gone: what is here is what was known until now. */
  'cache:stale': [{ zxid: bigint }]
  /** A node could not be read, for example for want of a permission; it is not in the cache. */
  'cache:unreadable': [{ path: string; error: ZooKeeperError }]
}

/** How far what a cache holds can be trusted. */
export interface Freshness {
  /**
   * `current`: equal to the server we are connected to. `updating`: something has changed and is
   * being read. `stale`: there is no connection, or all is being read again after one was lost.
   */
  readonly state: 'unloaded' | 'current' | 'updating' | 'stale'
  /** The zxid up to which the cache is known to equal the server. */
  readonly zxid: bigint
}

/** A step in the queue: what was learnt about a path, or will be once it has been read. */
interface Step {
  readonly path: string
  /** Undefined while the node is being read. */
  result: MultiReadResult | 'deleted' | undefined
  /** Whether it belongs to the reading of everything, and leads on to the node's children. */
  readonly loads: boolean
  /** Something more happened at the path while it was being read. */
  again: boolean
}

export class TreeCache extends EventEmitter<TreeCacheEvents> {
  readonly path: string
  readonly #client: ZooKeeper
  readonly #store: TreeStore
  readonly #ready = new Deferred<void>()
  #phase: 'latent' | 'started' | 'stopped' = 'latent'
  #watch: Watch | undefined
  #steps = new Fifo<Step>()
  #reading = new Map<string, Step>()
  #loader: TreeLoader | undefined
  #oneByOne = false
  #loaded = false
  #stale = true
  #zxid = 0n
  #waiting: Deferred<void>[] = []

  constructor(client: ZooKeeper, path: string) {
    super()
    validatePath(path)
    this.#client = client
    this.path = path
    this.#store = new TreeStore(path)
    // Only `start()` waits for it; nobody else has to hear of a failure in this way.
    this.#ready.promise.catch(() => {})
  }

  /** Resolves when the whole subtree has been read. A root that does not exist is an empty cache. */
  async start(): Promise<void> {
    if (this.#phase !== 'latent') {
      throw new ZooKeeperError('ZK_INVALID_ARGUMENT', `the cache was ${this.#phase} before`)
    }
    this.#phase = 'started'
    this.#client.on('session:suspended', this.#suspended)
    this.#client.on('session:reconnected', this.#load)
    this.#client.on('session:renewed', this.#load)
    this.#client.on('session:closed', this.#closed)
    try {
      this.#watch = await this.#client.addWatch(this.path, 'recursive', this.#noticed)
      if (this.#client.state === 'connected') this.#load()
      await this.#ready.promise
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Takes the watch away and forgets everything. */
  async stop(): Promise<void> {
    if (this.#phase === 'stopped') return
    this.#phase = 'stopped'
    this.#client.off('session:suspended', this.#suspended)
    this.#client.off('session:reconnected', this.#load)
    this.#client.off('session:renewed', this.#load)
    this.#client.off('session:closed', this.#closed)
    this.#abandon()
    this.#loaded = false
    this.#store.remove(this.path)
    const reason = new ZooKeeperError('ZK_CLOSED', 'the cache was stopped')
    this.#ready.reject(reason)
    for (const waiter of this.#waiting.splice(0)) waiter.reject(reason)
    await this.#watch?.remove()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get freshness(): Freshness {
    return { state: this.#freshnessState(), zxid: this.#zxid }
  }

  /** The number of nodes. */
  get size(): number {
    return this.#loadedStore().size
  }

  has(path: string): boolean {
    return this.#loadedStore(path).has(path)
  }

  /** The node, or undefined if it does not exist; throws while nothing is known yet. */
  get(path: string): CachedNode | undefined {
    const content = this.#loadedStore(path).get(path)
    return content === undefined ? undefined : { path, ...content }
  }

  stat(path: string): Stat | undefined {
    return this.#loadedStore(path).stat(path)
  }

  /** The names of a node's children, or undefined if the node does not exist. */
  children(path: string): string[] | undefined {
    return this.#loadedStore(path).children(path)
  }

  /** All paths, parents before their children. */
  paths(): Iterable<string> {
    return this.#loadedStore().paths()
  }

  /** Resolves when nothing is being read: the cache then equals the server we are connected to. */
  async settled(): Promise<void> {
    if (this.#freshnessState() === 'current') return
    if (this.#phase === 'stopped') throw new ZooKeeperError('ZK_CLOSED', 'the cache was stopped')
    const waiter = new Deferred<void>()
    this.#waiting.push(waiter)
    await waiter.promise
  }

  /** Resolves when the cache shows everything that was committed before this call, by anybody. */
  async sync(): Promise<void> {
    await this.#client.sync(this.path)
    await this.settled()
  }

  #freshnessState(): Freshness['state'] {
    if (!this.#loaded) return 'unloaded'
    if (this.#stale) return 'stale'
    return this.#steps.length === 0 ? 'current' : 'updating'
  }

  /** Unknown is never read as absent. */
  #loadedStore(path: string = this.path): TreeStore {
    if (!this.#loaded) {
      throw new ZooKeeperError('ZK_NOT_LOADED', `the cache of ${this.path} has not been read yet`)
    }
    if (!isWithin(path, this.path)) {
      throw new ZooKeeperError('ZK_INVALID_PATH', `${path} is not below ${this.path}`, { path })
    }
    return this.#store
  }

  readonly #suspended = ({ reason }: { reason: ZooKeeperError }): void => {
    // A batch was larger than a frame may be: read node by node from now on, or it would be so again.
    if (reason.code === 'ZK_FRAME_TOO_LARGE') this.#oneByOne = true
    this.#abandon()
    if (this.#stale) return
    this.#stale = true
    this.emit('cache:stale', { zxid: this.#zxid })
  }

  readonly #closed = (): void => {
    void this.stop()
  }

  /** Forgets what was being read: the connection that would have brought the answers is gone. */
  #abandon(): void {
    this.#loader?.stop()
    this.#loader = undefined
    this.#steps = new Fifo()
    this.#reading = new Map()
  }

  /** Reads everything, and follows what happens meanwhile. */
  readonly #load = (): void => {
    if (this.#watch === undefined || this.#phase !== 'started') return
    this.#abandon()
    this.#stale = true
    const loader: TreeLoader = new TreeLoader(
      {
        read: (parts) => this.#client.multiRead(parts, { whileDisconnected: 'fail' }),
        answered: (answers) => this.#answered(answers),
        failed: (error) => {
          if (this.#loader === loader) this.#failed(error)
        },
      },
      { oneByOne: this.#oneByOne },
    )
    this.#loader = loader
    loader.ask('content', this.path)
    loader.pump()
  }

  #answered(answers: readonly Answer[]): void {
    for (const { path, result } of answers) {
      this.#steps.push({ path, result, loads: true, again: false })
    }
    this.#drain()
  }

  readonly #noticed = ({ type, path }: WatchEvent): void => {
    if (type === 'childrenChanged' || this.#phase !== 'started') return
    const reading = this.#reading.get(path)
    if (reading !== undefined) {
      // What is being read will be newer than this event. One more look costs little beside that.
      reading.again = true
    } else if (type === 'deleted') {
      this.#steps.push({ path, result: 'deleted', loads: false, again: false })
      this.#drain()
    } else {
      void this.#read(path)
    }
  }

  async #read(path: string): Promise<void> {
    const step: Step = { path, result: undefined, loads: false, again: false }
    const reading = this.#reading
    this.#steps.push(step)
    reading.set(path, step)
    try {
      step.result = await this.#client.get(path, { whileDisconnected: 'fail' })
    } catch (error) {
      if (reading !== this.#reading) return
      if (!isZooKeeperError(error)) throw error
      if (error.errno === undefined) {
        this.#failed(error)
        return
      }
      step.result = { error }
    }
    if (reading !== this.#reading) return
    reading.delete(path)
    if (step.again) void this.#read(path)
    this.#drain()
  }

  /** Something could not be read although there is a connection: what is here may be wrong. */
  #failed(error: unknown): void {
    if (this.#client.state !== 'connected') return
    if (!this.#loaded) this.#ready.reject(error)
    else this.#load()
  }

  #drain(): void {
    for (let step = this.#steps.peek(); step?.result !== undefined; step = this.#steps.peek()) {
      this.#steps.shift()
      this.#apply(step, step.result)
      // A listener may have stopped the cache, or closed its client.
      if (this.#phase !== 'started') return
    }
    this.#loader?.pump()
    if (this.#steps.length > 0 || this.#loader?.isIdle === false) return
    this.#zxid = this.#client.lastZxid
    this.#caughtUp()
  }

  #caughtUp(): void {
    if (this.#loader !== undefined) {
      this.#loader = undefined
      this.#loaded = true
      this.#stale = false
      this.#ready.resolve()
      this.emit('cache:current', { zxid: this.#zxid })
    }
    if (this.#stale) return
    for (const waiter of this.#waiting.splice(0)) waiter.resolve()
  }

  #apply(step: Step, result: MultiReadResult | 'deleted'): void {
    const { path } = step
    if (result === 'deleted') this.#remove(path)
    else if ('data' in result) this.#keep(step, result)
    else if ('children' in result) this.#keepChildren(path, result.children)
    else {
      this.#remove(path)
      if (result.error.code !== 'ZK_NO_NODE') {
        this.emit('cache:unreadable', { path, error: result.error })
      }
    }
  }

  #keep({ path, loads }: Step, content: NodeContent): void {
    const { stat } = content
    const before = this.#store.zxids(path)
    // Deleted and created again since it was last read: another node, whose children are others, too.
    if (before !== undefined && before.czxid !== stat.czxid) this.#remove(path)
    const known = this.#store.children(path) ?? []
    const outcome = this.#store.put(path, content)
    if (outcome === 'created') this.emit('node:created', { path, ...content })
    if (outcome === 'changed') this.emit('node:changed', { path, ...content })
    if (!loads || outcome === 'orphaned') return
    // The same zxid of the children: the names are known, only the nodes have to be read.
    if (before?.pzxid === stat.pzxid) this.#askFor(path, known)
    else if (stat.numChildren > 0 || known.length > 0) this.#loader?.ask('children', path)
  }

  #keepChildren(path: string, names: readonly string[]): void {
    const there = new Set(names)
    for (const name of this.#store.children(path) ?? []) {
      if (!there.has(name)) this.#remove(childOf(path, name))
    }
    this.#askFor(path, names)
  }

  #askFor(path: string, names: readonly string[]): void {
    for (const name of names) this.#loader?.ask('content', childOf(path, name))
  }

  #remove(path: string): void {
    for (const removed of this.#store.remove(path)) this.emit('node:removed', { path: removed })
  }
}
