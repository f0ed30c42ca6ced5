/**
 * Keeps a subtree of the server in memory through one recursive watch, so that reads cost no request.
 *
 * Session states: on `session:suspended` the cache becomes stale and keeps the last known state. The server
 * does not replay changes after a reconnect or in a new session, so the cache reads everything again and
 * reports the differences as changes; `cache:current` reports that it has caught up.
 *
 * Order: the server sends the event of a change before any reply that shows the change, and after every reply
 * that does not. So every event and every reply takes its position in one queue on arrival. A change waits in
 * the queue until its node has been read, and changes are reported in queue order. If a node changes several
 * times before it is read, the cache reports the last change only.
 *
 * A recursive watch does not report changes of a node's list of children. The stored stat is from the last
 * read of the node itself: its `numChildren`, `cversion` and `pzxid` may be older than the children in the
 * cache, which are correct.
 */
import { EventEmitter } from 'node:events'

import type { MultiReadResult, NodeContent, Watch, ZooKeeper } from '../client.ts'
import type { Timer } from '../clock.ts'
import { Deferred } from '../deferred.ts'
import { isZooKeeperError, ZooKeeperError } from '../errors.ts'
import type { Stat } from '../jute/records.ts'
import { childOf, isWithin, validatePath } from '../paths.ts'
import type { WatchEvent } from '../session/watch-registry.ts'
import { ChangeQueue, type Reading, type Step } from './change-queue.ts'
import { type Question, TreeLoader } from './tree-loader.ts'
import { TreeStore } from './tree-store.ts'

/** The delay before a failed read is repeated, in milliseconds. */
const retryAfter = 100

/** A node in a tree cache. */
export interface CachedNode extends NodeContent {
  readonly path: string
}

/** The events of a tree cache. */
export interface TreeCacheEvents {
  'node:created': [CachedNode]
  'node:changed': [CachedNode]
  'node:removed': [{ path: string }]
  /** Everything has been read, initially or again: the cache equalled the server at this zxid. */
  'cache:current': [{ zxid: bigint }]
  /** The connection is lost, or a node could not be read: the cache holds the last known state. */
  'cache:stale': [{ zxid: bigint }]
  /** A node could not be read, for example because a permission is missing; it is not in the cache. */
  'cache:unreadable': [{ path: string; error: ZooKeeperError }]
}

/** How far the content of a cache can be trusted. */
export interface Freshness {
  /**
   * `current`: equal to the connected server. `updating`: a change is being read. `stale`: the connection is
   * lost, or everything is being read again after a reconnect.
   */
  readonly state: 'unloaded' | 'current' | 'updating' | 'stale'
  /** The zxid up to which the cache equals the server. */
  readonly zxid: bigint
}

/** A local copy of a node and everything below it, kept up to date by watches. */
export class TreeCache extends EventEmitter<TreeCacheEvents> {
  readonly path: string
  readonly #client: ZooKeeper
  readonly #store: TreeStore
  readonly #ready = new Deferred<void>()
  readonly #stopped = new AbortController()
  readonly #ended = new Deferred<void>()
  #phase: 'latent' | 'started' | 'stopped' = 'latent'
  #watch: Promise<Watch> | undefined
  #queue: ChangeQueue
  #loader: TreeLoader | undefined
  #retry: Timer | undefined
  #oneByOne = false
  #loaded = false
  #stale = true
  #zxid = 0n
  /** The callers that wait until the cache is current and has taken this many steps. */
  #waiting: { taken: number; readonly done: Deferred<void> }[] = []

  constructor(client: ZooKeeper, path: string) {
    super()
    validatePath(path)
    this.#client = client
    this.path = path
    this.#store = new TreeStore(path)
    this.#queue = this.#newQueue()
    // Only `start()` awaits this promise; without `start()` a rejection must not count as unhandled.
    this.#ready.promise.catch(() => {})
  }

  /** Resolves when the whole subtree has been read. A root that does not exist is an empty cache. */
  async start(): Promise<void> {
    if (this.#phase !== 'latent') {
      throw new ZooKeeperError(
        'ZK_INVALID_ARGUMENT',
        `the cache of ${this.path} cannot be started: it is already ${this.#phase}`,
      )
    }
    this.#phase = 'started'
    this.#client.on('session:suspended', this.#suspended)
    this.#client.on('session:closed', this.#closed)
    try {
      const { signal } = this.#stopped
      this.#watch = this.#client.addWatch(this.path, 'recursive', this.#noticed, { signal })
      await this.#watch
      if (this.#phase === 'started') {
        this.#client.on('session:reconnected', this.#load)
        this.#client.on('session:renewed', this.#load)
        this.#load()
      }
      await this.#ready.promise
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Removes the watch and discards the content. */
  stop(): Promise<void> {
    if (this.#phase !== 'stopped') {
      this.#phase = 'stopped'
      this.#client.off('session:suspended', this.#suspended)
      this.#client.off('session:reconnected', this.#load)
      this.#client.off('session:renewed', this.#load)
      this.#client.off('session:closed', this.#closed)
      this.#abandon()
      this.#loaded = false
      this.#store.remove(this.path)
      const reason = new ZooKeeperError('ZK_CLOSED', 'the cache was stopped')
      this.#stopped.abort(reason)
      this.#ready.reject(reason)
      for (const { done } of this.#waiting.splice(0)) done.reject(reason)
      this.#unwatch().then(this.#ended.resolve, this.#ended.reject)
    }
    return this.#ended.promise
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get freshness(): Freshness {
    return { state: this.#freshnessState(), zxid: this.#zxid }
  }

  get size(): number {
    return this.#loadedStore().size
  }

  has(path: string): boolean {
    return this.#loadedStore(path).has(path)
  }

  /** Returns the node, or undefined if it does not exist; throws until the first load is complete. */
  get(path: string): CachedNode | undefined {
    const content = this.#loadedStore(path).get(path)
    return content === undefined ? undefined : { path, ...content }
  }

  stat(path: string): Stat | undefined {
    return this.#loadedStore(path).stat(path)
  }

  /** Returns the names of a node's children, or undefined if the node does not exist. */
  children(path: string): string[] | undefined {
    return this.#loadedStore(path).children(path)
  }

  /** Returns all paths, parents before children. */
  paths(): Iterable<string> {
    return this.#loadedStore().paths()
  }

  /** Resolves when the cache shows every change that the server reported before this call. */
  async settled(): Promise<void> {
    if (this.#freshnessState() === 'current') return
    if (this.#phase === 'stopped') throw new ZooKeeperError('ZK_CLOSED', 'the cache was stopped')
    const done = new Deferred<void>()
    this.#waiting.push({ taken: this.#queue.pushed, done })
    await done.promise
  }

  /** Resolves when the cache shows every change that any client committed before this call. */
  async sync(): Promise<void> {
    await this.#client.catchUp()
    await this.settled()
  }

  #freshnessState(): Freshness['state'] {
    if (!this.#loaded) return 'unloaded'
    if (this.#stale) return 'stale'
    return this.#queue.isEmpty ? 'current' : 'updating'
  }

  /** Throws until the first load is complete: unknown is never read as absent. */
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
    // A batch exceeded the frame limit: from now on read node by node, or the next batch would exceed it
    // again.
    if (reason.code === 'ZK_FRAME_TOO_LARGE') this.#oneByOne = true
    this.#abandon()
    this.#becomeStale()
  }

  readonly #closed = (): void => {
    void this.stop()
  }

  async #unwatch(): Promise<void> {
    const watch = await this.#watch?.catch(() => undefined)
    await watch?.remove()
  }

  #becomeStale(): void {
    if (this.#stale) return
    this.#stale = true
    this.emit('cache:stale', { zxid: this.#zxid })
  }

  #newQueue(): ChangeQueue {
    return new ChangeQueue(() => this.#client.lastZxid)
  }

  /** Discards pending reads: their connection is gone. */
  #abandon(): void {
    this.#loader?.stop()
    this.#loader = undefined
    this.#retry?.cancel()
    this.#queue = this.#newQueue()
    for (const waiter of this.#waiting) waiter.taken = 0
  }

  /** Reads everything, and follows changes meanwhile. */
  readonly #load = (): void => {
    if (this.#phase !== 'started' || this.#client.state !== 'connected') return
    this.#abandon()
    this.#becomeStale()
    const loader: TreeLoader = new TreeLoader(
      {
        read: (parts, onAnswer) =>
          this.#client.multiRead(parts, { whileDisconnected: 'fail', onAnswer }),
        arrived: (pendingReads) => this.#arrived(pendingReads),
        failed: (error) => {
          if (this.#loader === loader) this.#failed(error)
        },
      },
      { oneByOne: this.#oneByOne },
    )
    this.#loader = loader
    loader.ask('content', this.path)
    loader.dirtyQueue()
  }

  /** Reserves the positions of the loader's answers; the results follow. */
  #arrived(pendingReads: readonly Question[]): (results: readonly MultiReadResult[]) => void {
    const steps = pendingReads.map(({ about, path }) => this.#queue.loaded(path, about))
    return (results) => {
      for (const [index, step] of steps.entries()) step.result = results[index]
      this.#drain()
    }
  }

  readonly #noticed = ({ type, path }: WatchEvent): void => {
    if (type === 'childrenChanged' || this.#phase !== 'started') return
    if (type === 'deleted') {
      this.#queue.deleted(path)
    } else {
      const reading = this.#queue.touched(path, type === 'created' ? type : 'changed')
      if (reading !== undefined) void this.#read(path, reading)
    }
    this.#drain()
  }

  async #read(path: string, reading: Reading): Promise<void> {
    const queue = this.#queue
    const onAnswer = (): void => queue.answered(reading)
    try {
      const content = await this.#client.get(path, { whileDisconnected: 'fail', onAnswer })
      reading.step.result ??= content
    } catch (error) {
      if (!isZooKeeperError(error)) throw error
      if (queue !== this.#queue) return
      if (error.errno === undefined) {
        this.#failed(error)
        return
      }
      reading.step.result ??= { error }
    }
    if (queue === this.#queue) this.#drain()
  }

  /** A read failed although there is a connection: the content may be wrong. */
  #failed(error: unknown): void {
    // A client that is closing accepts no requests, and emits an event when it is closed.
    if (this.#client.state !== 'connected' || isZooKeeperError(error, 'ZK_CLOSED')) return
    if (isZooKeeperError(error, 'ZK_REQUEST_TOO_LARGE') && !this.#oneByOne) {
      this.#oneByOne = true
      this.#load()
    } else if (this.#loaded) {
      this.#abandon()
      this.#becomeStale()
      // Retries after a delay, because the cause may need time to clear.
      this.#retry = this.#client.clock.setTimer(this.#load, retryAfter)
    } else {
      this.#ready.reject(error)
    }
  }

  #drain(): void {
    for (let step = this.#queue.take(); step !== undefined; step = this.#queue.take()) {
      this.#apply(step, step.result)
      // A listener may have stopped the cache or closed its client.
      if (this.#phase !== 'started') return
    }
    this.#loader?.dirtyQueue()
    if (this.#loader?.isIdle === true && !this.#queue.isLoading) this.#caughtUp()
    if (this.#stale) return
    this.#zxid = this.#queue.zxid
    const waiting = this.#waiting.findIndex(({ taken }) => taken > this.#queue.taken)
    const settled = waiting === -1 ? this.#waiting.length : waiting
    for (const { done } of this.#waiting.splice(0, settled)) done.resolve()
  }

  #caughtUp(): void {
    this.#loader = undefined
    this.#loaded = true
    this.#stale = false
    this.#zxid = this.#queue.zxid
    this.#ready.resolve()
    this.emit('cache:current', { zxid: this.#zxid })
  }

  #apply(step: Step, result: NonNullable<Step['result']>): void {
    const { path } = step
    if (result === 'overtaken') return
    if (result === 'deleted') this.#remove(path)
    else if ('data' in result) this.#keep(step, result)
    else if ('children' in result) this.#keepChildren(path, result.children)
    else if (result.error.code === 'ZK_NO_NODE') this.#remove(path)
    else if (result.error.code === 'ZK_NO_AUTH') {
      this.#remove(path)
      this.emit('cache:unreadable', { path, error: result.error })
    } else this.#failed(result.error)
  }

  #keep({ path, cause }: Step, content: NodeContent): void {
    const { stat } = content
    const before = this.#store.zxids(path)
    // The node was deleted and created again since the last read: it is another node with other children.
    if (before !== undefined && before.czxid !== stat.czxid) this.#remove(path)
    const outcome = this.#store.put(path, content)
    if (outcome === 'created') this.emit('node:created', { path, ...content })
    if (outcome === 'changed') this.emit('node:changed', { path, ...content })
    if (outcome === 'orphaned') return
    if (cause === 'load') {
      const hadChildren = (this.#store.children(path)?.length ?? 0) > 0
      if (stat.numChildren > 0 || hadChildren) this.#loader?.ask('children', path)
    } else if (cause === 'changed' && outcome === 'created' && this.#loader === undefined) {
      // The node existed before but could not be read, so its children are unknown.
      this.#load()
    }
  }

  #keepChildren(path: string, names: readonly string[]): void {
    const there = new Set(names)
    for (const name of this.#store.children(path) ?? []) {
      if (!there.has(name)) this.#remove(childOf(path, name))
    }
    for (const name of names) this.#loader?.ask('content', childOf(path, name))
  }

  #remove(path: string): void {
    for (const removed of this.#store.remove(path)) this.emit('node:removed', { path: removed })
  }
}
