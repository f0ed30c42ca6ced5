/**
 * Leader election by the nodes of Curator's LeaderLatch, so that Java and TypeScript elect one leader
 * among them: each participant has an ephemeral sequential child, the lowest number leads, everybody
 * else watches the one before.
 *
 * What the session's states mean for the caller: on `session:suspended` leadership is given up at
 * once, for nobody can know any more who leads; on `session:reconnected` the node is still there and
 * leadership may return; after an expiry a new node is made, at the end of the line. Leadership says
 * who should act, not that nobody else does: what must not happen twice needs the lease or a fence.
 */
import { EventEmitter, once } from 'node:events'

import type { Watch, ZooKeeper } from '../client.ts'
import { toText } from '../data.ts'
import { Deferred } from '../deferred.ts'
import { isZooKeeperError, ZooKeeperError } from '../errors.ts'
import { childOf } from '../paths.ts'

export interface LeaderLatchOptions {
  /**
   * Who this participant is, for others to read.
   * @default ''
   */
  readonly id?: string
}

export interface LeaderLatchEvents {
  /** This participant leads. */
  'leadership:gained': [{ node: string }]
  /** This participant leads no more. */
  'leadership:lost': [{ node: string | undefined }]
  /** This participant cannot look at the line, for example for want of a permission: it does not lead. */
  'latch:failed': [{ error: unknown }]
}

export interface Participant {
  readonly id: string
  readonly node: string
  readonly isLeader: boolean
}

const nodeName = 'latch-'

export class LeaderLatch extends EventEmitter<LeaderLatchEvents> {
  readonly path: string
  readonly id: string
  readonly #client: ZooKeeper
  #phase: 'latent' | 'started' | 'stopped' = 'latent'
  #leads = false
  #node: string | undefined
  #nodeSession = 0n
  /** On the one before us in line; on our own node when there is none. */
  #watch: Watch | undefined
  /** Changes whenever the connection is lost: what was read before says nothing about now. */
  #epoch = 0
  #dirty = false
  #working: Promise<void> | undefined
  readonly #standing = new Deferred<void>()
  readonly #stopped = new AbortController()
  readonly #left = new Deferred<void>()

  constructor(client: ZooKeeper, path: string, options: LeaderLatchOptions = {}) {
    super()
    this.#client = client
    this.path = path
    this.id = options.id ?? ''
    // Only `start()` waits for it; nobody else has to hear of a failure in this way.
    this.#standing.promise.catch(() => {})
  }

  get hasLeadership(): boolean {
    return this.#leads
  }

  /** The path of this participant's own node, for a transaction that has to check that it exists. */
  get node(): string | undefined {
    return this.#node
  }

  /** Takes part; resolves when this participant stands in line. */
  async start(): Promise<void> {
    if (this.#phase !== 'latent') {
      throw new ZooKeeperError('ZK_INVALID_ARGUMENT', `the latch was ${this.#phase} before`)
    }
    this.#phase = 'started'
    this.#client.on('session:suspended', this.#suspended)
    this.#client.on('session:reconnected', this.#wake)
    this.#client.on('session:renewed', this.#wake)
    this.#client.on('session:closed', this.#closed)
    this.#wake()
    try {
      await this.#standing.promise
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Leaves the line; another may lead as soon as this resolves. */
  stop(): Promise<void> {
    if (this.#phase !== 'stopped') {
      this.#phase = 'stopped'
      this.#client.off('session:suspended', this.#suspended)
      this.#client.off('session:reconnected', this.#wake)
      this.#client.off('session:renewed', this.#wake)
      this.#client.off('session:closed', this.#closed)
      const reason = new ZooKeeperError('ZK_CLOSED', 'the latch was stopped')
      this.#standing.reject(reason)
      this.#stopped.abort(reason)
      this.#setLeadership(false)
      this.#leave().then(this.#left.resolve, this.#left.reject)
    }
    return this.#left.promise
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Resolves as soon as this participant leads; rejects when it is stopped, or the signal aborts. */
  async acquired({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#leads) return
    const stopped = this.#stopped.signal
    const over = signal === undefined ? stopped : AbortSignal.any([signal, stopped])
    over.throwIfAborted()
    await once(this, 'leadership:gained', { signal: over }).catch(() => over.throwIfAborted())
  }

  /** Everybody in line, the leader first. */
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
    this.#epoch++
    this.#setLeadership(false)
  }

  readonly #closed = (): void => {
    void this.stop()
  }

  /** Looks at the line again; one look at a time, and one more if something happened meanwhile. */
  readonly #wake = (): void => {
    this.#dirty = true
    if (this.#phase === 'started') this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    try {
      while (this.#dirty && this.#phase === 'started') {
        this.#dirty = false
        const epoch = this.#epoch
        await this.#look(epoch).catch((error: unknown) => this.#failed(error, epoch))
      }
    } finally {
      // At once, not when the promise is settled: nobody may wake us in between and be overheard.
      this.#working = undefined
    }
  }

  #failed(error: unknown, epoch: number): void {
    // Not of our making: a listener has thrown.
    if (!isZooKeeperError(error)) throw error
    if (error.code === 'ZK_CLOSED') {
      void this.stop()
      return
    }
    const inTime = error.code !== 'ZK_DEADLINE_EXCEEDED'
    if (inTime && (epoch !== this.#epoch || this.#client.state !== 'connected')) {
      // Without a connection there is nothing to decide; its return wakes us again.
      return
    }
    if (error.code === 'ZK_SESSION_EXPIRED') {
      this.#dirty = true
      return
    }
    this.#setLeadership(false)
    if (error.code === 'ZK_QUEUE_FULL' && this.#node !== undefined) {
      // We stand in line and nobody passes us: look again as soon as there may be room.
      this.#client.clock.afterPoll(this.#wake)
      return
    }
    this.#standing.reject(error)
    this.emit('latch:failed', { error })
    if (!inTime) this.#dirty = true
  }

  async #look(epoch: number): Promise<void> {
    const node = await this.#makeNode()
    const line = await this.#line()
    const position = line.indexOf(node)
    if (position === -1) {
      // Somebody removed our node, or the whole path: stand in line anew.
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
    if (epoch === this.#epoch) this.#setLeadership(position === 0 && isOurs)
  }

  /**
   * Watches this node and no other. With a watch that stays, for it can be taken away again: who waits
   * behind a leader that stays would leave a one-shot watch behind with every latch that is stopped.
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
    this.#standing.resolve()
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

  /** The participants' nodes in the order in which they lead: by what follows the name, as Curator has it. */
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
