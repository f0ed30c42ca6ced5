/** Java's barrier: a flag, a wait for a moment in which nothing runs, one transaction. */
import { part } from '@elasticjob/zookeeper'

import type { JavaElection } from './election.ts'
import type { JavaJob, JavaSettings } from './java-job.ts'
import { dealt } from './strategies.ts'

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

  async hasItems(): Promise<boolean> {
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

  /** The items that are mine, by what the cache says of each. */
  async localItems(): Promise<number[]> {
    const job = this.#job
    if (job.isShutDown || !(await job.isServerAvailable(job.ip))) return []
    return this.itemsOf(job.instance)
  }

  async itemsOf(instance: string): Promise<number[]> {
    const total = (await this.#job.settings())?.total ?? 0
    const items: number[] = []
    for (let item = 0; item < total; item++) {
      const owner = await this.#job.cached(this.#job.path('sharding', item, 'instance'))
      if (owner === instance) items.push(item)
    }
    return items
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
    for (let item = 0; item < total; item++) {
      if (await this.#job.registry.exists(this.#job.path('sharding', item, 'running'))) return true
    }
    return false
  }

  /** Outside the transaction: for a moment nobody owns anything. */
  async #reset(total: number): Promise<void> {
    const { registry } = this.#job
    for (let item = 0; item < total; item++) {
      await registry.remove(this.#job.path('sharding', item, 'instance'))
      await registry.createIfNeeded(this.#job.path('sharding', item))
    }
    const there = (await registry.children(this.#job.path('sharding'))).length
    for (let item = total; item < there; item++) {
      await registry.removeAll(this.#job.path('sharding', item))
    }
  }

  async #commit(available: readonly string[], { strategy, total }: JavaSettings): Promise<void> {
    const owners = dealt(strategy, available, this.#job.jobName, total)
    const creations = [...owners].flatMap(([instance, items]) =>
      items.map((item) => part.create(this.#job.path('sharding', item, 'instance'), instance)),
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
