/** Java's barrier: a flag, a wait for a moment in which nothing runs, one transaction. */
import { part } from '@elasticjob/zookeeper'

import type { JavaElection } from './election.ts'
import type { JavaJob, JavaSettings } from './java-job.ts'
import { epoch } from './strategies.ts'

const pollInterval = 100

export class JavaSharding {
  readonly #job: JavaJob
  readonly #election: JavaElection

  constructor(job: JavaJob, election: JavaElection) {
    this.#job = job
    this.#election = election
  }

  /** Only the leader's request counts, and only if it knows that it leads. */
  async request(): Promise<void> {
    if (!(await this.#election.isLeaderUntilBlock())) return
    await this.#job.registry.createIfNeeded(this.#necessary)
  }

  isNeeded(): Promise<boolean> {
    return this.#job.registry.exists(this.#necessary)
  }

  async hasShards(): Promise<boolean> {
    return (await this.#job.registry.children(this.#job.path('sharding'))).length > 0
  }

  async shardIfNecessary(): Promise<void> {
    const job = this.#job
    const available = await job.availableInstances()
    if (!(await this.isNeeded()) || available.length === 0) return
    if (!(await this.#election.isLeaderUntilBlock())) return this.#waitForLeader()
    const cached = await job.settings()
    if (cached?.monitorExecution === true) await this.#waitUntilNothingRuns()
    const settings = await job.readSettings()
    if (settings === undefined || job.isShutDown) return
    await job.registry.persistEphemeral(this.#processing)
    await this.#reset(settings.total)
    await this.#commit(available, settings)
  }

  /** The shards that are mine, by what the cache says of each. */
  async localShards(): Promise<number[]> {
    const job = this.#job
    if (job.isShutDown || !(await job.isServerAvailable(job.ip))) return []
    return this.shardsOf(job.instance)
  }

  async shardsOf(instance: string): Promise<number[]> {
    const total = (await this.#job.settings())?.total ?? 0
    const shards: number[] = []
    for (let shard = 0; shard < total; shard++) {
      const owner = await this.#job.cached(this.#job.path('sharding', shard, 'instance'))
      if (owner === instance) shards.push(shard)
    }
    return shards
  }

  async #waitForLeader(): Promise<void> {
    const { registry } = this.#job
    while (
      !this.#job.isShutDown &&
      !(await this.#election.isLeader()) &&
      ((await this.isNeeded()) || (await registry.exists(this.#processing)))
    ) {
      await registry.sleep(pollInterval)
    }
  }

  async #waitUntilNothingRuns(): Promise<void> {
    const { registry } = this.#job
    while (!this.#job.isShutDown && (await this.#isAnythingRunning()))
      await registry.sleep(pollInterval)
  }

  async #isAnythingRunning(): Promise<boolean> {
    const total = (await this.#job.settings())?.total ?? 0
    for (let shard = 0; shard < total; shard++) {
      if (await this.#job.registry.exists(this.#job.path('sharding', shard, 'running'))) return true
    }
    return false
  }

  /** Outside the transaction: for a moment nobody owns anything. */
  async #reset(total: number): Promise<void> {
    const { registry } = this.#job
    for (let shard = 0; shard < total; shard++) {
      await registry.remove(this.#job.path('sharding', shard, 'instance'))
      await registry.createIfNeeded(this.#job.path('sharding', shard))
    }
    const there = (await registry.children(this.#job.path('sharding'))).length
    for (let shard = total; shard < there; shard++) {
      await registry.removeAll(this.#job.path('sharding', shard))
    }
  }

  async #commit(available: readonly string[], { strategy, total }: JavaSettings): Promise<void> {
    const owners = epoch(strategy, available, this.#job.jobName, total)
    const creations = [...owners].flatMap(([instance, shards]) =>
      shards.map((shard) => part.create(this.#job.path('sharding', shard, 'instance'), instance)),
    )
    const flags = [part.delete(this.#necessary), part.delete(this.#processing)]
    await this.#job.registry.transact([...creations, ...flags])
  }

  get #necessary(): string {
    return this.#job.path('leader', 'sharding', 'necessary')
  }

  get #processing(): string {
    return this.#job.path('leader', 'sharding', 'processing')
  }
}
