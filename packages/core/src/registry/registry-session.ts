/**
 * One session of a registry in the service of jobs: its instance id, the nodes that say it lives, the
 * registry's time, and what is committed through it.
 *
 * The id is new for every session and never used again, so that "this instance is gone" never becomes
 * untrue. After an expiry there is a new session with a new id; whoever registered something under the
 * old one hears of it by `session:renewed`, and only when the new one has been proven by its own nodes.
 */
import { EventEmitter } from 'node:events'

import type { Clock } from '../clock.ts'
import { type Committed, Committer, type CommitUnit } from './committer.ts'
import { PreciseTimer } from '../timing/precise-timer.ts'
import { OwnNodes, type SessionNodes } from './own-nodes.ts'
import type { LeaseHold, RegistryClient } from './registry-client.ts'
import { isOutOfReach, isRegistryError } from './registry-error.ts'
import { momentOf, type RegistryTime } from './registry-time.ts'
import { SharedInInstant } from './shared-in-instant.ts'
import {
  type NodeContent,
  part,
  type PartResult,
  read,
  type ReadPart,
  type ReadResult,
  type TransactionPart,
} from './transaction.ts'

/**
 * How the registry's data were lost: all of them, so that the roots had to be made again, or those since a
 * backup that the registry was restored from.
 */
export type DataLoss = 'wiped' | 'restored'

export interface RegistrySessionEvents {
  /** The connection is gone: nothing is known any more, and nothing can be written. */
  'session:suspended': [{ instance: string; reason: unknown }]
  /** The connection is back, and the session has lived all along. */
  'session:resumed': [{ instance: string }]
  /** The session expired; a new one, under a new id, has taken its place. */
  'session:renewed': [{ instance: string; former: string }]
  /** The registry has lost data; told before `session:renewed`, or alone when the roots were deleted by hand. */
  'data:lost': [{ instance: string; loss: DataLoss }]
  /** Nodes that all instances rely on, or this session's own, were missing and have been made again. */
  'nodes:repaired': [{ paths: readonly string[] }]
  /** The session could not be set up although there is a connection; it is tried again. */
  'session:failed': [{ error: unknown }]
  /** Nothing proves the session any more: what runs must stop. */
  'lease:ended': [{ instance: string }]
  'lease:regained': [{ instance: string }]
}

const failing = { whileDisconnected: 'fail' } as const

/** After so long it is tried again to set up a session, in milliseconds. */
const retryAfter = 1000

export class RegistrySession extends EventEmitter<RegistrySessionEvents> {
  readonly client: RegistryClient
  readonly clock: Clock
  readonly #time: RegistryTime
  readonly #committer: Committer
  readonly #preciseTimer: PreciseTimer
  readonly #proof: SharedInInstant<void>
  readonly #nodes: SessionNodes
  readonly #ownNodes: OwnNodes
  readonly #newInstance: () => string
  #instance: string
  #ready = false
  /** Whether the registry was found to have lost what it had, and the session has not been renewed since. */
  #isBehind = false
  /** The newest transaction that was seen before the session expired; 0 once it was renewed. */
  #seen = 0n
  /** How often the registry was restored from a backup. */
  #restores = 0
  /** Whether the registry has been found, since the last connection was made, to have what it had. */
  #verified = false
  #connections = 0
  /** When the last connection was lost over which the registry was known to have what it had. */
  #suspendedAt: number | undefined
  #lostUntil: number | undefined
  #suspensions = 0
  #repairing: Promise<void> | undefined

  private constructor(
    client: RegistryClient,
    nodes: SessionNodes,
    newInstance: () => string,
    time: RegistryTime,
  ) {
    super()
    // Every job of the process listens.
    this.setMaxListeners(0)
    this.client = client
    this.clock = client.clock
    this.#nodes = nodes
    this.#ownNodes = new OwnNodes(client, nodes)
    this.#newInstance = newInstance
    this.#instance = newInstance()
    this.#time = time
    this.#committer = new Committer(
      { transact: (parts) => this.#transact(parts) },
      client.clock,
      time,
    )
    this.#preciseTimer = new PreciseTimer(client.clock, () => time.now())
    this.#proof = new SharedInInstant(client.clock, async () => {
      const proof = [part.set(this.#nodes.leaseNode(this.#instance), '')]
      await this.commit(proof).catch(async (error: unknown) => {
        // Deleted by hand: without it nothing could begin any more that is not claimed.
        if (!isRegistryError(error, 'REGISTRY_NO_NODE')) throw error
        await this.repair()
        await this.commit(proof)
      })
    })
  }

  /** A session whose own nodes stand, on a client that is connected. */
  static async open(
    client: RegistryClient,
    nodes: SessionNodes,
    newInstance: () => string,
    time: RegistryTime,
  ): Promise<RegistrySession> {
    const session = new RegistrySession(client, nodes, newInstance, time)
    await session.#ownNodes.ensureFolders()
    await session.#stand()
    session.#follow()
    return session
  }

  /** The id under which this process is known now. */
  get instance(): string {
    return this.#instance
  }

  /** True while there is a connection and the session's own nodes stand in the data that it knows. */
  get isReady(): boolean {
    return this.#ready && this.#verified && this.client.state === 'connected'
  }

  /**
   * Identifies the registry's data. Another value than before means that data were lost in between: what
   * is missing then was not taken away by anybody.
   */
  get history(): string {
    return `${this.#ownNodes.generation}/${this.#restores}`
  }

  /** How often the connection was lost: what was known before it may be of data that are lost since. */
  get suspensions(): number {
    return this.#suspensions
  }

  /** Until when data were lost, in registry time: until then others may have run something. */
  get lostUntil(): number | undefined {
    return this.#lostUntil
  }

  /** The registry's time in milliseconds. */
  now(): number {
    return this.#time.now()
  }

  /** Resolves when it is that time, which is a moment ahead at most. */
  reach(time: number): Promise<void> {
    return this.#preciseTimer.reach(time)
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

  read(parts: readonly ReadPart[], onAnswer?: () => void): Promise<readonly ReadResult[]> {
    const answer = onAnswer === undefined ? {} : { onAnswer }
    return this.client.read(parts, { ...failing, ...answer })
  }

  /** Reads one node; rejects with `REGISTRY_NO_NODE` if it does not exist. */
  async get(path: string): Promise<NodeContent> {
    const [result] = await this.read([read.get(path)])
    if (result !== undefined && 'error' in result) throw result.error
    return result as NodeContent
  }

  /** Reads one node; undefined if it does not exist. */
  find(path: string): Promise<NodeContent | undefined> {
    return this.get(path).catch((error: unknown) => {
      if (isRegistryError(error, 'REGISTRY_NO_NODE')) return undefined
      throw error
    })
  }

  /** Creates a node that stays, unless it is there. */
  async ensure(path: string, { parents = false }: { parents?: boolean } = {}): Promise<void> {
    try {
      await this.client.create(path, { parents })
    } catch (error) {
      if (!isRegistryError(error, 'REGISTRY_NODE_EXISTS')) throw error
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
      if (isRegistryError(error)) return false
      throw error
    }
  }

  /** Gives the session up: `S/alive` is the last that goes. */
  async close(): Promise<void> {
    this.#ready = false
    if (this.client.state === 'connected') {
      const closeMessage = [part.delete(this.#nodes.aliveNode(this.#instance))]
      await this.client.transact(closeMessage, failing).catch(() => {})
    }
    await this.client.close()
  }

  /** Makes the folders and the session's own nodes again, as far as they are missing, and tells of it. */
  repair(): Promise<void> {
    this.#repairing ??= this.#repair().finally(() => {
      this.#repairing = undefined
    })
    return this.#repairing
  }

  async #repair(): Promise<void> {
    if (!this.isReady) return
    const { instance } = this
    try {
      const paths = await this.#ensureFolders()
      if (instance !== this.#instance) return
      paths.push(...(await this.#ownNodes.ensureOwn(instance)))
      if (paths.length > 0) this.emit('nodes:repaired', { paths })
    } catch (error) {
      // Deleted again meanwhile, or there is no connection: both are a reason to come back here.
      if (!isRegistryError(error)) throw error
    }
  }

  /** Answers the folders it has made; tells if the roots are others than before. */
  async #ensureFolders(): Promise<string[]> {
    const before = this.#ownNodes.generation
    const made = await this.#ownNodes.ensureFolders()
    if (this.#ownNodes.generation !== before) this.#lost('wiped')
    return made
  }

  #lost(loss: DataLoss): void {
    if (loss === 'restored') this.#restores += 1
    this.#lostUntil = this.#suspendedAt
    this.emit('data:lost', { instance: this.#instance, loss })
  }

  async #transact(parts: readonly TransactionPart[]): Promise<readonly PartResult[]> {
    const results = await this.client.transact(parts, failing)
    const index = results.findIndex(({ stat }) => stat !== undefined)
    const stat = results[index]?.stat
    if (stat !== undefined)
      this.#ownNodes.written((parts[index] as { path: string }).path, stat.mzxid)
    return results
  }

  #follow(): void {
    this.client.on('session:suspended', ({ reason }) => {
      this.#suspensions += 1
      if (this.#ready && this.#verified) this.#suspendedAt = this.now()
      this.emit('session:suspended', { instance: this.#instance, reason })
    })
    this.client.on('session:expired', () => {
      if (this.client.lastZxid > this.#seen) this.#seen = this.client.lastZxid
    })
    this.client.on('session:reconnected', () => {
      void (this.#ready ? this.#resume() : this.#renew())
    })
    this.client.on('session:renewed', () => void this.#renew())
    this.client.on('lease:ended', () => this.emit('lease:ended', { instance: this.#instance }))
    this.client.on('lease:regained', () => {
      this.emit('lease:regained', { instance: this.#instance })
    })
  }

  /**
   * The connection is back. A registry that has lost what this session wrote is not the one that the session
   * lived in: then it is given up for a new one.
   */
  async #resume(): Promise<void> {
    const instance = this.#instance
    this.#verified = false
    await this.#persevere(async () => {
      // Writes of others may have taken the place of a lost write; nobody else writes the node of the instance.
      this.#isBehind ||=
        (await this.#ownNodes.hasLostWrites()) || (await this.#ownNodes.isForgotten(instance))
      if (instance !== this.#instance) return
      if (this.#isBehind) {
        await this.client.renewSession()
        return
      }
      const paths = await this.#ensureFolders()
      if (instance !== this.#instance) return
      paths.push(...(await this.#ownNodes.ensureOwn(instance)))
      if (instance !== this.#instance) return
      this.#verified = true
      if (paths.length > 0) this.emit('nodes:repaired', { paths })
      this.emit('session:resumed', { instance })
    })
  }

  async #renew(): Promise<void> {
    const former = this.#instance
    this.#ready = false
    await this.#persevere(async () => {
      const instance = this.#newInstance()
      this.#instance = instance
      const before = this.#ownNodes.generation
      this.#isBehind ||= await this.#ownNodes.hasLostWrites()
      const paths = await this.#ownNodes.ensureFolders()
      const zxid = await this.#stand()
      // Servers that hold an election refuse a client like those that have lost data: only transactions tell which.
      this.#isBehind ||= zxid < this.#seen
      if (instance !== this.#instance) return
      const isWiped = this.#ownNodes.generation !== before
      if (isWiped) this.#lost('wiped')
      else if (this.#isBehind) this.#lost('restored')
      this.#isBehind = false
      this.#seen = 0n
      if (paths.length > 0) this.emit('nodes:repaired', { paths })
      this.emit('session:renewed', { instance, former })
    })
  }

  /**
   * Does what a new connection asks for. If the connection is lost, the next one asks again; any other failure
   * is told, and it is tried again as long as the connection is the same.
   */
  async #persevere(act: () => Promise<void>): Promise<void> {
    const connection = ++this.#connections
    for (;;) {
      try {
        await act()
        return
      } catch (error) {
        // The next connection brings a new attempt.
        if (isOutOfReach(error)) return
        // Folders that are deleted meanwhile are made again by the next attempt.
        if (!isRegistryError(error, 'REGISTRY_NO_NODE')) this.emit('session:failed', { error })
      }
      await new Promise<void>((resolve) => {
        this.clock.setTimer(resolve, retryAfter)
      })
      if (connection !== this.#connections || this.client.state !== 'connected') return
    }
  }

  /** Says that the session lives, and learns the registry's time from it. Answers the transaction that says so. */
  async #stand(): Promise<bigint> {
    const instance = this.#instance
    const options = { mode: 'ephemeral', ...failing } as const
    const lease = this.#nodes.leaseNode(instance)
    const begun = momentOf(this.clock)
    const [stat, made] = await Promise.all([
      this.client.create(this.#nodes.aliveNode(instance), options),
      this.client.create(lease, options),
    ])
    if (instance !== this.#instance) return stat.czxid
    this.#ownNodes.written(lease, made.mzxid)
    this.#time.observe(Number(stat.mtime), begun)
    // The local clock was set meanwhile: without any sample it would be taken for the registry's.
    while (this.#time.age === Infinity) await this.#askTime()
    this.#ready = true
    this.#verified = true
    return stat.czxid
  }

  async #askTime(): Promise<void> {
    const begun = momentOf(this.clock)
    const asked = [part.set(this.#nodes.leaseNode(this.#instance), '')]
    const [result] = await this.client.transact(asked, failing)
    if (result?.stat !== undefined) this.#time.observe(Number(result.stat.mtime), begun)
  }
}
