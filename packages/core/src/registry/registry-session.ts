/**
 * One registry session that jobs share: its instance id, its own nodes, the registry's time, and its commits.
 *
 * Every session has a new id that is never used again, so that an instance that is gone never comes back under the same
 * id. After an expiry a new session starts with a new id. Jobs that registered under the old id receive
 * `session:renewed`, but only when the nodes of the new session exist and prove it.
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
 * How the registry lost data: all of it, so that the roots had to be recreated, or the writes since the backup from
 * which the registry was restored.
 */
export type DataLoss = 'wiped' | 'restored'

export interface RegistrySessionEvents {
  /** The connection is lost: the state of the registry is unknown, and no write is possible. */
  'session:suspended': [{ instance: string; reason: unknown }]
  /** The connection is back, and the session has survived. */
  'session:resumed': [{ instance: string }]
  /** The session expired; a new one with a new id has replaced it. */
  'session:renewed': [{ instance: string; former: string }]
  /** The registry has lost data. Emitted before `session:renewed`, or alone if the roots were deleted by hand. */
  'data:lost': [{ instance: string; loss: DataLoss }]
  /** Nodes that all instances rely on, or this session's own, were missing and have been recreated. */
  'nodes:repaired': [{ paths: readonly string[] }]
  /** The session could not be set up although there is a connection; the setup is retried. */
  'session:failed': [{ error: unknown }]
  /** The session is not proven any more: running work must stop. */
  'lease:ended': [{ instance: string }]
  'lease:regained': [{ instance: string }]
}

const failing = { whileDisconnected: 'fail' } as const

/** The delay before another attempt to set up a session, in milliseconds. */
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
  /** Whether the registry was found to have lost data, and the session has not been renewed since. */
  #isBehind = false
  /** The newest zxid seen before the session expired; 0 once the session was renewed. */
  #seen = 0n
  /** How often the registry was restored from a backup. */
  #restores = 0
  /** Whether the registry was found, since the last connect, to have all its data. */
  #verified = false
  #connections = 0
  /** When the last connection was lost on which the registry was known to have all its data. */
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
        // The node was deleted by hand. Without it no run without a claim could start.
        if (!isRegistryError(error, 'REGISTRY_NO_NODE')) throw error
        await this.repair()
        await this.commit(proof)
      })
    })
  }

  /** Opens a session on a connected client, and creates the nodes of the session. */
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

  /** The present instance id of this process. */
  get instance(): string {
    return this.#instance
  }

  /** True while there is a connection and the session's own nodes exist in verified data. */
  get isReady(): boolean {
    return this.#ready && this.#verified && this.client.state === 'connected'
  }

  /**
   * Identifies the registry's data. A changed value means that data was lost in between: then a missing node was not
   * deleted by a client.
   */
  get history(): string {
    return `${this.#ownNodes.generation}/${this.#restores}`
  }

  /** How often the connection was lost: knowledge from before a loss may refer to data that is lost since. */
  get suspensions(): number {
    return this.#suspensions
  }

  /** The end of the lost stretch, in registry time: until then other instances may have run jobs. */
  get lostUntil(): number | undefined {
    return this.#lostUntil
  }

  /** The registry's time in milliseconds. */
  now(): number {
    return this.#time.now()
  }

  /** Resolves at that time, which is at most a moment ahead. */
  reach(time: number): Promise<void> {
    return this.#preciseTimer.reach(time)
  }

  /** How long ago a write gave a sample of the registry's time, in milliseconds. */
  get timeAge(): number {
    return this.#time.age
  }

  /** Commits the parts as a whole, together with all other units of this instant. */
  commit(parts: readonly TransactionPart[]): Promise<readonly PartResult[]> {
    return this.#committer.commit(parts)
  }

  /** Commits each unit on its own, all of them in this instant; resolves when all are settled. */
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

  /** Creates a persistent node, unless it exists. */
  async ensure(path: string, { parents = false }: { parents?: boolean } = {}): Promise<void> {
    try {
      await this.client.create(path, { parents })
    } catch (error) {
      if (!isRegistryError(error, 'REGISTRY_NODE_EXISTS')) throw error
    }
  }

  /** Keeps the lease alive during a run. */
  holdLease(): LeaseHold {
    return this.client.lease.hold(this.#nodes.leaseNode(this.#instance))
  }

  /** Proves that the session is alive, with one write for all calls of the same instant. */
  prove(): Promise<void> {
    return this.#proof.answer()
  }

  /** Whether the session is alive, as the quorum confirms now, whatever events of its nodes said. */
  async isProven(): Promise<boolean> {
    try {
      await this.commit([part.check(this.#nodes.aliveNode(this.#instance))])
      return true
    } catch (error) {
      if (isRegistryError(error)) return false
      throw error
    }
  }

  /** Ends the session: `S/alive` is deleted last. */
  async close(): Promise<void> {
    this.#ready = false
    if (this.client.state === 'connected') {
      const closeMessage = [part.delete(this.#nodes.aliveNode(this.#instance))]
      await this.client.transact(closeMessage, failing).catch(() => {})
    }
    await this.client.close()
  }

  /** Recreates the missing folders and own nodes of the session, and emits `nodes:repaired`. */
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
      // The nodes were deleted again meanwhile, or the connection is lost: both lead to another repair.
      if (!isRegistryError(error)) throw error
    }
  }

  /** Returns the folders it has created; emits `data:lost` if the roots have changed. */
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
   * The connection is back. If the registry has lost writes of this session, it is not the registry that the session
   * lived in: the session is given up for a new one.
   */
  async #resume(): Promise<void> {
    const instance = this.#instance
    this.#verified = false
    await this.#persevere(async () => {
      // Writes of other instances may have replaced a lost write; no other instance writes the node of this one.
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
      // Servers refuse a client during an election as well as after a loss of data: only the zxids tell the difference.
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
   * Does the work that a new connection requires. If the connection is lost, the next one repeats the work. Any other
   * failure is emitted, and the work is retried while the connection is the same.
   */
  async #persevere(act: () => Promise<void>): Promise<void> {
    const connection = ++this.#connections
    for (;;) {
      try {
        await act()
        return
      } catch (error) {
        // The next connection starts a new attempt.
        if (isOutOfReach(error)) return
        // The next attempt recreates folders that were deleted meanwhile.
        if (!isRegistryError(error, 'REGISTRY_NO_NODE')) this.emit('session:failed', { error })
      }
      await new Promise<void>((resolve) => {
        this.clock.setTimer(resolve, retryAfter)
      })
      if (connection !== this.#connections || this.client.state !== 'connected') return
    }
  }

  /** Creates the nodes of the session, and takes the registry's time from them. Returns the zxid of the creation. */
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
    // The local clock was set meanwhile. Without a sample, `now()` would return local time as the registry's.
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
