/** The ZooKeeper of a simulation: one server that can be restarted, or an ensemble of three. */
import type { Clock, Random } from '@elasticjob/zookeeper'
import {
  type Faults,
  faultsOf,
  type MemoryNetwork,
  MemoryServer,
  type MemoryServerOptions,
  SimulatedEnsemble,
  type SimulatedEnsembleOptions,
} from '@elasticjob/zookeeper-server/testing'

export type Transaction = Parameters<NonNullable<SimulatedEnsembleOptions['onCommit']>>[0]
type Durability = NonNullable<MemoryServerOptions['durability']>

/** What can be done to it, whatever it is made of. */
export interface Registry {
  readonly connectString: string
  readonly hosts: readonly string[]
  readonly sessionIds: readonly bigint[]
  expire(sessionId: bigint): void
  pause(host: string): void
  resume(host: string): void
  /** Everybody loses the connection; with one server, all that is not stored is lost. */
  restart(host: string): Promise<void>
  /**
   * All servers start again with what they had so many milliseconds ago, or with nothing, if they can; `begin`
   * is told which transactions are left before anything follows them.
   */
  restore(age: number, begin: (kept: readonly Transaction[]) => void): Promise<void>
  /** Between two members, or for a server alone nothing. */
  cut(one: string, other: string): void
  heal(one: string, other: string): void
  lag(host: string, milliseconds: number): void
}

export interface RegistryParts {
  readonly network: MemoryNetwork
  readonly clock: Clock
  readonly random: Random
  readonly onCommit: (transaction: Transaction) => void
  readonly tickTime: number
}

export function startRegistry(size: 1 | 3, parts: RegistryParts): Promise<Registry> {
  return size === 1 ? SingleServer.start(parts) : Promise.resolve(new Ensemble(parts))
}

interface LoggedTransaction {
  readonly transaction: Transaction
  readonly at: number
}

/** Every transaction outlasts a crash at once. */
class MemoryLog implements Durability {
  readonly #all: LoggedTransaction[]
  readonly #now: () => number
  readonly #onCommit: (transaction: Transaction) => void
  durableZxid = 0
  #isClosed = false

  constructor(
    all: LoggedTransaction[],
    now: () => number,
    onCommit: (transaction: Transaction) => void,
  ) {
    this.#all = all
    this.#now = now
    this.#onCommit = onCommit
  }

  recover(target: Parameters<Durability['recover']>[0]): Promise<void> {
    for (const { transaction } of this.#all) target.applyTransaction(transaction)
    this.durableZxid = this.#all.at(-1)?.transaction.zxid ?? 0
    return Promise.resolve()
  }

  start(): void {}

  append(transaction: Transaction): void {
    if (this.#isClosed) return
    this.#all.push({ transaction, at: this.#now() })
    this.durableZxid = transaction.zxid
    this.#onCommit(transaction)
  }

  close(): Promise<void> {
    this.#isClosed = true
    return Promise.resolve()
  }
}

const host = '10.0.0.1'

class SingleServer implements Registry {
  readonly hosts: readonly string[] = [host]
  readonly connectString = `${host}:2181`
  readonly #parts: RegistryParts
  #log: LoggedTransaction[] = []
  #server: MemoryServer | undefined
  #faults: Faults | undefined

  constructor(parts: RegistryParts) {
    this.#parts = parts
  }

  static async start(parts: RegistryParts): Promise<Registry> {
    const registry = new SingleServer(parts)
    await registry.#start()
    return registry
  }

  get sessionIds(): readonly bigint[] {
    return this.#faults?.sessionIds ?? []
  }

  expire(sessionId: bigint): void {
    this.#faults?.expireSession(sessionId)
  }

  pause(): void {
    this.#faults?.pause()
  }

  resume(): void {
    this.#faults?.resume()
  }

  async restart(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    this.#faults = undefined
    await server.stop()
    await this.#start()
  }

  async restore(age: number, begin: (kept: readonly Transaction[]) => void): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    this.#faults = undefined
    const until = this.#parts.clock.monotonic() - age
    await server.stop()
    this.#log = this.#log.filter(({ at }) => at <= until)
    begin(this.#log.map(({ transaction }) => transaction))
    await this.#start()
  }

  cut(): void {}
  heal(): void {}
  lag(): void {}

  async #start(): Promise<void> {
    const { network, clock, random, onCommit, tickTime } = this.#parts
    const durability = new MemoryLog(this.#log, () => clock.monotonic(), onCommit)
    this.#server = await MemoryServer.start({ network, clock, random, host, durability, tickTime })
    this.#faults = faultsOf(this.#server)
  }
}

class Ensemble implements Registry {
  readonly hosts: readonly string[] = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
  readonly #parts: RegistryParts
  #ensemble: SimulatedEnsemble

  constructor(parts: RegistryParts) {
    this.#parts = parts
    this.#ensemble = this.#start()
  }

  #start(): SimulatedEnsemble {
    const { network, clock, random, onCommit, tickTime } = this.#parts
    return new SimulatedEnsemble({ network, clock, random, hosts: this.hosts, onCommit, tickTime })
  }

  /** It has no backups. */
  restore(age: number, begin: (kept: readonly Transaction[]) => void): Promise<void> {
    if (age === Infinity) {
      this.#ensemble.stop()
      begin([])
      this.#ensemble = this.#start()
    }
    return Promise.resolve()
  }

  get connectString(): string {
    return this.#ensemble.connectString
  }

  get sessionIds(): readonly bigint[] {
    return this.#ensemble.sessionIds
  }

  expire(sessionId: bigint): void {
    this.#ensemble.expireSession(sessionId)
  }

  pause(member: string): void {
    this.#ensemble.pause(member)
  }

  resume(member: string): void {
    this.#ensemble.resume(member)
  }

  restart(member: string): Promise<void> {
    this.#ensemble.elect(member)
    return Promise.resolve()
  }

  cut(one: string, other: string): void {
    this.#ensemble.cut(one, other)
  }

  heal(one: string, other: string): void {
    this.#ensemble.heal(one, other)
  }

  lag(member: string, milliseconds: number): void {
    this.#ensemble.setLag(member, milliseconds)
  }
}
