/**
 * Leader election with the nodes of Curator's LeaderLatch, so that Java and TypeScript participants elect one
 * common leader. Each participant creates an ephemeral sequential child; the lowest number leads, and every
 * other participant watches its predecessor.
 *
 * Session states: on `session:suspended` the latch gives up leadership at once, because the leader is
 * unknown; on `session:reconnected` the node still exists and leadership may return; after an expiry the
 * latch creates a new node at the end of the queue. Leadership says who should act, not that no other
 * participant acts: an action that must not happen twice needs the lease or a fence.
 */
import { EventEmitter, once } from 'node:events'

import type { Watch, ZooKeeper } from '../client.ts'
import { toText } from '../data.ts'
import { Deferred } from '../deferred.ts'
import { isZooKeeperError, ZooKeeperError } from '../errors.ts'
import { childOf } from '../paths.ts'

/** The options of a leader latch. */
export interface LeaderLatchOptions {
  /**
   * The name of this participant, visible to the others.
   * @default ''
   */
  readonly id?: string
}

/** The events of a leader latch. */
export interface LeaderLatchEvents {
  'leadership:gained': [{ node: string }]
  'leadership:lost': [{ node: string | undefined }]
  /**
   * This participant cannot read the queue, for example because a permission is missing. It does not lead.
   */
  'latch:failed': [{ error: unknown }]
}

/** One that takes part in an election. */
export interface Participant {
  readonly id: string
  readonly node: string
  readonly isLeader: boolean
}

const nodeName = 'latch-'

/** Elects one of several participants, compatible with Curator's `LeaderLatch`. */
export class LeaderLatch extends EventEmitter<LeaderLatchEvents> {
  readonly path: string
  readonly id: string
  readonly #client: ZooKeeper
  #phase: 'latent' | 'started' | 'stopped' = 'latent'
  #leads = false
  #node: string | undefined
  #nodeSession = 0n
  /** Watches the predecessor in the queue, or this participant's own node if it is the first. */
  #watch: Watch | undefined
  /** Changes whenever the connection is lost: earlier reads are then outdated. */
  #assignment = 0
  #dirty = false
  #working: Promise<void> | undefined
  readonly #status = new Deferred<void>()
  readonly #stopped = new AbortController()
  readonly #left = new Deferred<void>()

  constructor(client: ZooKeeper, path: string, options: LeaderLatchOptions = {}) {
    super()
    this.#client = client
    this.path = path
    this.id = options.id ?? ''
    // Only `start()` awaits this promise; without `start()` a rejection must not count as unhandled.
    this.#status.promise.catch(() => {})
  }

  get hasLeadership(): boolean {
    return this.#leads
  }

  /** The path of this participant's own node, for a transaction that checks that it exists. */
  get node(): string | undefined {
    return this.#node
  }

  /** Joins the election; resolves when this participant's node is in the queue. */
  async start(): Promise<void> {
    if (this.#phase !== 'latent') {
      throw new ZooKeeperError(
        'ZK_INVALID_ARGUMENT',
        `the latch cannot be started: it is already ${this.#phase}`,
      )
    }
    this.#phase = 'started'
    this.#client.on('session:suspended', this.#suspended)
    this.#client.on('session:reconnected', this.#wake)
    this.#client.on('session:renewed', this.#wake)
    this.#client.on('session:closed', this.#closed)
    this.#wake()
    try {
      await this.#status.promise
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Leaves the election; another participant may lead as soon as this resolves. */
  stop(): Promise<void> {
    if (this.#phase !== 'stopped') {
      this.#phase = 'stopped'
      this.#client.off('session:suspended', this.#suspended)
      this.#client.off('session:reconnected', this.#wake)
      this.#client.off('session:renewed', this.#wake)
      this.#client.off('session:closed', this.#closed)
      const reason = new ZooKeeperError('ZK_CLOSED', 'the latch was stopped')
      this.#status.reject(reason)
      this.#stopped.abort(reason)
      this.#setLeadership(false)
      this.#leave().then(this.#left.resolve, this.#left.reject)
    }
    return this.#left.promise
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Resolves when this participant leads; rejects when the latch is stopped or the signal aborts. */
  async acquired({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#leads) return
    const stopped = this.#stopped.signal
    const over = signal === undefined ? stopped : AbortSignal.any([signal, stopped])
    over.throwIfAborted()
    await once(this, 'leadership:gained', { signal: over }).catch(() => over.throwIfAborted())
  }

  /** Returns all participants, the leader first. */
  async participants(): Promise<Participant[]> {
    const line = await this.#line()
    const found = await Promise.all(
      line.map(async (node): Promise<Participant | undefined> => {
        try {
          const { data } = await this.#client.get(node)
          return { id: toText(data), node, isLeader: node === line[0] }
        } catch (error) {
          if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
          throw error
        }
      }),
    )
    return found.filter((participant) => participant !== undefined)
  }

  readonly #suspended = (): void => {
    this.#assignment++
    this.#setLeadership(false)
  }

  readonly #closed = (): void => {
    void this.stop()
  }

  /** Reads the queue again: one read at a time, and one more if an event arrived meanwhile. */
  readonly #wake = (): void => {
    this.#dirty = true
    if (this.#phase === 'started') this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    try {
      while (this.#dirty && this.#phase === 'started') {
        this.#dirty = false
        const assignment = this.#assignment
        await this.#look(assignment).catch((error: unknown) => this.#failed(error, assignment))
      }
    } finally {
      // Cleared here and not when the promise settles: a wake-up in between would be lost.
      this.#working = undefined
    }
  }

  #failed(error: unknown, assignment: number): void {
    // Not an error of this package: a listener has thrown.
    if (!isZooKeeperError(error)) throw error
    if (error.code === 'ZK_CLOSED') {
      void this.stop()
      return
    }
    const inTime = error.code !== 'ZK_DEADLINE_EXCEEDED'
    if (inTime && (assignment !== this.#assignment || this.#client.state !== 'connected')) {
      // Nothing to decide without a connection; the reconnect wakes the latch again.
      return
    }
    if (error.code === 'ZK_SESSION_EXPIRED') {
      this.#dirty = true
      return
    }
    this.#setLeadership(false)
    if (error.code === 'ZK_QUEUE_FULL' && this.#node !== undefined) {
      // The request limit was reached. The node keeps its position, so read again as soon as there may be
      // room.
      this.#client.clock.afterPoll(this.#wake)
      return
    }
    this.#status.reject(error)
    this.emit('latch:failed', { error })
    if (!inTime) this.#dirty = true
  }

  async #look(assignment: number): Promise<void> {
    const node = await this.#makeNode()
    const line = await this.#line()
    const position = line.indexOf(node)
    if (position === -1) {
      // Another client deleted the node or the whole path: join again.
      this.#node = undefined
      this.#setLeadership(false)
      this.#dirty = true
      return
    }
    const before = line[Math.max(0, position - 1)] as string
    await this.#follow(before)
    const stat = await this.#client.exists(before)
    if (stat === undefined) {
      this.#dirty = true
      return
    }
    const isOurs = stat.ephemeralOwner === this.#client.sessionId
    if (assignment === this.#assignment) this.#setLeadership(position === 0 && isOurs)
  }

  /**
   * Watches this node only. Uses a persistent watch because it can be removed: behind a long-lived leader,
   * every stopped latch would leave a one-shot watch at the server.
   */
  async #follow(path: string): Promise<void> {
    if (this.#watch?.path === path) return
    await this.#unfollow()
    this.#watch = await this.#client.addWatch(path, 'persistent', this.#wake)
  }

  async #unfollow(): Promise<void> {
    const watch = this.#watch
    this.#watch = undefined
    await watch?.remove()
  }

  async #makeNode(): Promise<string> {
    if (this.#node !== undefined && this.#nodeSession === this.#client.sessionId) return this.#node
    this.#node = undefined
    const { path, stat } = await this.#client.create(childOf(this.path, nodeName), this.id, {
      mode: 'ephemeral',
      sequential: true,
      protect: true,
      parents: 'container',
    })
    this.#node = path
    this.#nodeSession = stat.ephemeralOwner
    this.#status.resolve()
    return path
  }

  async #leave(): Promise<void> {
    await this.#working
    await Promise.all([this.#removeNode(), this.#unfollow()])
  }

  async #removeNode(): Promise<void> {
    const node = this.#node
    this.#node = undefined
    for (;;) {
      if (node === undefined || this.#nodeSession !== this.#client.sessionId) return
      try {
        await this.#client.delete(node)
        return
      } catch (error) {
        if (isZooKeeperError(error, 'ZK_NO_NODE', 'ZK_SESSION_EXPIRED', 'ZK_CLOSED')) return
        if (!isZooKeeperError(error, 'ZK_CONNECTION_LOSS')) throw error
      }
    }
  }

  /** Returns the participants' nodes in election order: sorted by the sequence number, as Curator does. */
  async #line(): Promise<string[]> {
    try {
      const { children } = await this.#client.children(this.path)
      return children
        .filter((child) => child.includes(nodeName))
        .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
        .map((child) => childOf(this.path, child))
    } catch (error) {
      if (isZooKeeperError(error, 'ZK_NO_NODE')) return []
      throw error
    }
  }

  #setLeadership(leads: boolean): void {
    if (leads === this.#leads || (leads && this.#phase !== 'started')) return
    this.#leads = leads
    if (leads) this.emit('leadership:gained', { node: this.#node as string })
    else this.emit('leadership:lost', { node: this.#node })
  }
}

function placeOf(child: string): string {
  return child.slice(child.lastIndexOf(nodeName) + nodeName.length)
}
