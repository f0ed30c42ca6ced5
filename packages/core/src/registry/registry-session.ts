/**
 * One ZooKeeper session in the service of jobs: its instance id, the nodes that say it lives, the
 * registry's time, and what is committed through it.
 *
 * The id is new for every session and never used again, so that "this instance is gone" never becomes
 * untrue. After an expiry there is a new session with a new id; whoever registered something under the
 * old one hears of it by `session:renewed`, and only when the new one has been proven by its own nodes.
 */
import { EventEmitter } from 'node:events'

import {
  type Acl,
  isZooKeeperError,
  type LeaseHold,
  type MultiReadResult,
  part,
  type ReadPart,
  type TransactionPart,
  type ZooKeeper,
} from '@elasticjob/zookeeper'

import type { Clock } from '../clock.ts'
import { type Committed, Committer, type CommitUnit, type PartResult } from './committer.ts'
import { type NodeMaker, nodeMaker } from './node-maker.ts'
import { OnTheDot } from './on-the-dot.ts'
import { momentOf, type RegistryTime } from './registry-time.ts'
import { SharedInInstant } from './shared-in-instant.ts'

export interface RegistrySessionEvents {
  /** The connection is gone: nothing is known any more, and nothing can be written. */
  'session:suspended': [{ instance: string; reason: unknown }]
  /** The connection is back, and the session has lived all along. */
  'session:resumed': [{ instance: string }]
  /** The session expired; a new one, under a new id, has taken its place. */
  'session:renewed': [{ instance: string; former: string }]
  /** Nothing proves the session any more: what runs must stop. */
  'lease:ended': [{ instance: string }]
  'lease:regained': [{ instance: string }]
}

/** The nodes that a session keeps of its own. */
export interface SessionNodes {
  readonly folders: readonly string[]
  aliveNode(instance: string): string
  leaseNode(instance: string): string
}

export class RegistrySession extends EventEmitter<RegistrySessionEvents> {
  readonly client: ZooKeeper
  readonly clock: Clock
  /** How nodes are made in this registry. */
  readonly make: NodeMaker
  readonly #acl: readonly Acl[]
  readonly #time: RegistryTime
  readonly #committer: Committer
  readonly #onTheDot: OnTheDot
  readonly #proof: SharedInInstant<void>
  readonly #nodes: SessionNodes
  readonly #newInstance: () => string
  #instance: string
  #ready = false

  private constructor(
    client: ZooKeeper,
    acl: readonly Acl[],
    nodes: SessionNodes,
    newInstance: () => string,
    time: RegistryTime,
  ) {
    super()
    // Every job of the process listens.
    this.setMaxListeners(0)
    this.client = client
    this.clock = client.clock
    this.make = nodeMaker(acl)
    this.#acl = acl
    this.#nodes = nodes
    this.#newInstance = newInstance
    this.#instance = newInstance()
    this.#time = time
    this.#committer = new Committer(
      { multi: (parts) => this.client.multi(parts, { whileDisconnected: 'fail' }) },
      client.clock,
      time,
    )
    this.#onTheDot = new OnTheDot(client.clock, () => time.now())
    this.#proof = new SharedInInstant(client.clock, async () => {
      await this.commit([part.set(this.#nodes.leaseNode(this.#instance), '')])
    })
  }

  /** A session whose own nodes stand, on a client that is connected. */
  static async open(
    client: ZooKeeper,
    acl: readonly Acl[],
    nodes: SessionNodes,
    newInstance: () => string,
    time: RegistryTime,
  ): Promise<RegistrySession> {
    const session = new RegistrySession(client, acl, nodes, newInstance, time)
    for (const folder of nodes.folders) await session.ensure(folder, { parents: true })
    await session.#stand()
    session.#follow()
    return session
  }

  /** The id under which this process is known now. */
  get instance(): string {
    return this.#instance
  }

  /** True while there is a connection and the session's own nodes stand. */
  get isReady(): boolean {
    return this.#ready && this.client.state === 'connected'
  }

  /** The registry's time in milliseconds. */
  now(): number {
    return this.#time.now()
  }

  /** Resolves when it is that time, which is a moment ahead at most. */
  reach(time: number): Promise<void> {
    return this.#onTheDot.reach(time)
  }

  /** How long ago a write has shown the registry's time, in milliseconds. */
  get timeAge(): number {
    return this.#time.age
  }

  /** Carries out the parts as a whole, together with what else is decided in this instant. */
  commit(parts: readonly TransactionPart[]): Promise<readonly PartResult[]> {
    return this.#committer.commit(parts)
  }

  /** Carries out each unit for itself, all of them in this instant; resolves when all are settled. */
  commitEach(units: readonly CommitUnit[]): Promise<readonly Committed[]> {
    return this.#committer.commitEach(units)
  }

  read(parts: readonly ReadPart[], onAnswer?: () => void): Promise<readonly MultiReadResult[]> {
    const answer = onAnswer === undefined ? {} : { onAnswer }
    return this.client.multiRead(parts, { whileDisconnected: 'fail', ...answer })
  }

  /** Creates a node that stays, unless it is there. */
  async ensure(path: string, { parents = false }: { parents?: boolean } = {}): Promise<void> {
    try {
      await this.client.create(path, '', { acl: this.#acl, parents })
    } catch (error) {
      if (!isZooKeeperError(error, 'ZK_NODE_EXISTS')) throw error
    }
  }

  /** Keeps the lease alive while something runs. */
  holdLease(): LeaseHold {
    return this.client.lease.hold(this.#nodes.leaseNode(this.#instance))
  }

  /** One write, shared by all who ask for it in the same instant: proof that the session lives. */
  prove(): Promise<void> {
    return this.#proof.answer()
  }

  /** Whether the session lives, as the quorum says now, whatever was heard of its nodes. */
  async isProven(): Promise<boolean> {
    try {
      await this.commit([part.check(this.#nodes.aliveNode(this.#instance))])
      return true
    } catch (error) {
      if (isZooKeeperError(error)) return false
      throw error
    }
  }

  /** Gives the session up: `S/alive` is the last that goes. */
  async close(): Promise<void> {
    this.#ready = false
    if (this.client.state === 'connected') {
      await this.client
        .delete(this.#nodes.aliveNode(this.#instance), { whileDisconnected: 'fail' })
        .catch(() => {})
    }
    await this.client.close()
  }

  #follow(): void {
    this.client.on('session:suspended', ({ reason }) => {
      this.emit('session:suspended', { instance: this.#instance, reason })
    })
    this.client.on('session:reconnected', () => {
      if (this.#ready) this.emit('session:resumed', { instance: this.#instance })
      else void this.#renew()
    })
    this.client.on('session:renewed', () => void this.#renew())
    this.client.on('lease:ended', () => this.emit('lease:ended', { instance: this.#instance }))
    this.client.on('lease:regained', () => {
      this.emit('lease:regained', { instance: this.#instance })
    })
  }

  async #renew(): Promise<void> {
    const former = this.#instance
    this.#ready = false
    this.#instance = this.#newInstance()
    try {
      await this.#stand()
    } catch (error) {
      // The connection is gone again; the next one brings us back here.
      if (isZooKeeperError(error)) return
      throw error
    }
    this.emit('session:renewed', { instance: this.#instance, former })
  }

  /** Says that the session lives, and learns the registry's time from it. */
  async #stand(): Promise<void> {
    const instance = this.#instance
    const options = { mode: 'ephemeral', acl: this.#acl, whileDisconnected: 'fail' } as const
    const begun = momentOf(this.clock)
    const [{ stat }] = await Promise.all([
      this.client.create(this.#nodes.aliveNode(instance), '', options),
      this.client.create(this.#nodes.leaseNode(instance), '', options),
    ])
    if (instance !== this.#instance) return
    this.#time.observe(Number(stat.mtime), begun)
    // The local clock was set meanwhile: without any sample it would be taken for the registry's.
    while (this.#time.age === Infinity) await this.#askTime()
    this.#ready = true
  }

  async #askTime(): Promise<void> {
    const begun = momentOf(this.clock)
    const options = { whileDisconnected: 'fail' } as const
    const { mtime } = await this.client.set(this.#nodes.leaseNode(this.#instance), '', options)
    this.#time.observe(Number(mtime), begun)
  }
}
