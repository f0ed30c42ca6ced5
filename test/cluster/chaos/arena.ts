/** Where a chaos run takes place: a real ensemble, workers, and a proxy on every way between the two. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { type Ensemble, type Member, startEnsemble } from '../../zookeeper/harness/ensemble.ts'
import { TcpProxy } from '../../zookeeper/harness/tcp-proxy.ts'
import { ipOf } from '../fleet.ts'
import { Crew } from './crew.ts'
import { Expectations } from './expectations.ts'
import { type FirstOwned, firstOwnedBy } from './first-owned.ts'
import { chaosJobs, cronJobs } from './jobs.ts'
import { machineTime } from './machine-time.ts'
import { Operators } from './operators.ts'
import type { RegistryLoss } from './registry-loss.ts'
import { WireLog } from './wire-log.ts'
import type { WorkerClock } from './worker-options.ts'

/**
 * Short enough for many sessions to end within a minute, and long enough for a lease on servers with this
 * tick. A follower that is cut off is left believing in itself for longer than a session lasts.
 */
export const times: Readonly<{
  sessionTimeout: number
  tickTime: number
  abortTime: number
  syncLimit: number
}> = Object.freeze({ sessionTimeout: 6000, tickTime: 500, abortTime: 500, syncLimit: 16 })

export const namespace = 'chaos'

/** As documented: what an answered write is good for, from the moment it was sent. */
function leaseOf(sessionTimeout: number): number {
  const { tickTime, abortTime } = times
  return sessionTimeout - (tickTime + sessionTimeout / 6 + sessionTimeout / 1000 + abortTime)
}

/** After a disturbance whoever died is found dead within this time, and the shards have owners. */
export const settlingTime: number = times.sessionTimeout + 6000

export interface ArenaOptions {
  readonly workers: readonly number[]
  readonly servers: number
  readonly clocks: readonly WorkerClock[]
  readonly directory: string
}

export class Arena {
  readonly ensemble: Ensemble
  readonly expectations: Expectations = new Expectations()
  readonly operators: Operators
  readonly firstOwned: FirstOwned
  /** When the registry's data was replaced. */
  readonly losses: RegistryLoss[] = []
  readonly crew: Crew
  readonly wire: WireLog
  /** By worker and server, both counted from 1. */
  readonly #ways: ReadonlyMap<number, ReadonlyMap<number, TcpProxy>>
  #restarts = 0

  private constructor(
    ensemble: Ensemble,
    ways: ReadonlyMap<number, ReadonlyMap<number, TcpProxy>>,
    wire: WireLog,
    { clocks, directory }: ArenaOptions,
  ) {
    this.ensemble = ensemble
    this.firstOwned = firstOwnedBy(() => this.connect(), namespace)
    this.operators = new Operators({
      servers: ensemble.connectString,
      namespace,
      expectations: this.expectations,
      firstOwned: this.firstOwned,
    })
    this.wire = wire
    this.#ways = ways
    const { sessionTimeout, tickTime: serverTickTime, abortTime } = times
    this.crew = new Crew(directory, (worker) => ({
      servers: [...(ways.get(worker)?.values() ?? [])].map((way) => way.connectString).join(),
      namespace,
      ip: ipOf(worker),
      sessionTimeout,
      serverTickTime,
      abortTime,
      jobs: chaosJobs,
      clock: clocks[worker - 1] ?? { ahead: 0, drift: 0 },
    }))
  }

  /** The servers run when this resolves; no worker does. */
  static async open(options: ArenaOptions): Promise<Arena> {
    const { tickTime, syncLimit } = times
    // A server that comes back on a machine that is short of time needs many ticks to catch up.
    const ensemble = await startEnsemble({
      tickTime,
      syncLimit,
      initLimit: 60,
      size: options.servers,
    })
    const wire = new WireLog({ namespace, leaseOf })
    const ways = new Map<number, Map<number, TcpProxy>>()
    for (const worker of options.workers) {
      const own = new Map<number, TcpProxy>()
      for (const { id, server } of ensemble.members) {
        const way = await TcpProxy.start({ target: server.port, framed: true })
        wire.attach(way)
        own.set(id, way)
      }
      ways.set(worker, own)
    }
    return new Arena(ensemble, ways, wire, options)
  }

  /** A client of its own for whoever looks at the tree; nothing disturbs its connection but the servers. */
  connect(): Promise<ZooKeeper> {
    return ZooKeeper.connect({ servers: this.ensemble.connectString })
  }

  /** Resolves when every shard of every job has an owner; its fire times are expected from then on. */
  async expectAll(): Promise<void> {
    for (const { options, period } of chaosJobs) {
      const { jobName: job, shardingTotalCount } = options
      for (let shard = 0; shard < shardingTotalCount; shard++) {
        await this.firstOwned(job, shard)
        if (period !== undefined) this.expectations.expect({ job, shard, from: Date.now(), period })
      }
    }
  }

  /** Nothing is expected from now on: the registry is about to lose its data. */
  expectNothing(): void {
    for (const { options } of chaosJobs) this.expectations.suspend(options.jobName, Date.now())
  }

  /** Resolves when the registry serves again, whoever died was found dead, and every shard has an owner. */
  async recoverFrom(loss: Pick<RegistryLoss, 'since' | 'at'>): Promise<void> {
    await this.recovered()
    await sleep(settlingTime)
    await this.operators.restoreSettings(cronJobs)
    await this.expectAll()
    this.losses.push({ ...loss, until: machineTime() })
  }

  get workers(): readonly number[] {
    return [...this.#ways.keys()]
  }

  /** A worker's ways to some servers, or to all of them. */
  waysOf(worker: number, servers?: readonly number[]): TcpProxy[] {
    return [...(this.#ways.get(worker) ?? [])]
      .filter(([server]) => servers?.includes(server) ?? true)
      .map(([, way]) => way)
  }

  /** The members behind some numbers. */
  members(ids: readonly number[]): Member[] {
    return ids.map((id) => this.ensemble.member(id))
  }

  /**
   * Resolves when all servers serve. One that does not come back by itself, as may be on a machine that is
   * short of time, is started again, as an operator would do it.
   */
  async recovered(told: (line: string) => void = () => {}): Promise<void> {
    const { members } = this.ensemble
    for (let attempt = 1; ; attempt++) {
      try {
        await this.ensemble.waitForQuorum(members.length)
        return
      } catch (error) {
        if (attempt === 4) throw error
      }
      if (attempt !== 2) continue
      for (const { id, server } of members) {
        if ((await server.mode()) !== undefined) continue
        told(`server ${id} has not come back; its log ends:\n${server.logTail(5)}`)
        await server.kill()
        server.spawn()
        this.#restarts += 1
      }
    }
  }

  /** How many servers had to be started again by hand. */
  get restarts(): number {
    return this.#restarts
  }

  async close(): Promise<void> {
    await this.crew.killAll()
    await Promise.all(
      this.workers.flatMap((worker) => this.waysOf(worker)).map((way) => way.stop()),
    )
    await this.ensemble.stop()
  }
}
