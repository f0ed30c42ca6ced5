/** What Java's survivors do about a crashed instance: mark its shards, and take them one by one. */
import type { JavaJob } from './java-job.ts'
import type { JavaSharding } from './sharding.ts'

export class JavaFailover {
  readonly #job: JavaJob
  readonly #sharding: JavaSharding
  readonly #trigger: () => void

  /** `trigger`: fires the job once more. */
  constructor(job: JavaJob, sharding: JavaSharding, trigger: () => void) {
    this.#job = job
    this.#sharding = sharding
    this.#trigger = trigger
  }

  /** An instance has gone. One that had taken something over is asked for that alone. */
  async crashed(instance: string): Promise<void> {
    const job = this.#job
    const taken = await this.#shardsWith('failovering', instance)
    if (taken.length > 0) {
      for (const shard of taken) {
        await job.registry.createIfNeeded(this.#waiting(shard))
        await job.registry.remove(job.path('sharding', shard, 'running'))
        await this.takeIfNecessary()
      }
      return
    }
    const ip = instance.slice(0, instance.indexOf('@-@'))
    if (!(await job.isServerEnabled(ip))) return
    for (const shard of await this.#sharding.shardsOf(instance)) {
      if (!(await job.registry.exists(job.path('sharding', shard, 'running')))) continue
      await this.#flag(shard)
      await this.takeIfNecessary()
    }
  }

  /** The first and only one clears what the dead have left. */
  async coldStart(): Promise<void> {
    const job = this.#job
    const available = await job.availableInstances()
    if (available.length !== 1 || available[0] !== job.instance) return
    const total = (await job.settings())?.total ?? 0
    for (let shard = 0; shard < total; shard++) {
      const taker = await job.registry.read(job.path('sharding', shard, 'failovering'))
      const runner = await job.registry.read(job.path('sharding', shard, 'running'))
      if (taker !== undefined && taker !== job.instance) {
        await job.registry.createIfNeeded(this.#waiting(shard))
        await job.registry.remove(job.path('sharding', shard, 'failovering'))
        await job.registry.remove(job.path('sharding', shard, 'running'))
      } else if (runner !== undefined && runner !== job.instance) await this.#flag(shard)
    }
    await this.takeIfNecessary()
  }

  /** One shard, while nothing of the job runs here. */
  async takeIfNecessary(): Promise<void> {
    const job = this.#job
    if (!(await this.#isAnythingWaiting())) return
    await job.registry.inLatch(job.path('leader', 'failover', 'latch'), async () => {
      if (job.isShutDown || !(await this.#isAnythingWaiting())) return
      const [first] = await job.registry.children(job.path('leader', 'failover', 'items'))
      if (first === undefined) return
      await job.registry.persistEphemeral(job.path('sharding', first, 'failover'), job.instance)
      await job.registry.persist(job.path('sharding', first, 'failovering'), job.instance)
      await job.registry.remove(this.#waiting(first))
      this.#trigger()
    })
  }

  /** The shards that I have taken over. */
  taken(): Promise<number[]> {
    return this.#shardsWith('failover', this.#job.instance)
  }

  async isTaken(shard: number): Promise<boolean> {
    return this.#job.registry.exists(this.#job.path('sharding', shard, 'failover'))
  }

  async completed(shards: readonly number[]): Promise<void> {
    for (const shard of shards) {
      await this.#job.registry.remove(this.#job.path('sharding', shard, 'failover'))
      await this.#job.registry.remove(this.#job.path('sharding', shard, 'failovering'))
    }
  }

  /** Failover was switched off. */
  async clear(): Promise<void> {
    for (const shard of await this.#job.registry.children(this.#job.path('sharding'))) {
      await this.#job.registry.remove(this.#job.path('sharding', shard, 'failover'))
    }
  }

  async #flag(shard: number): Promise<void> {
    if (await this.isTaken(shard)) return
    await this.#job.registry.createIfNeeded(this.#waiting(shard))
    await this.#job.registry.remove(this.#job.path('sharding', shard, 'running'))
  }

  async #isAnythingWaiting(): Promise<boolean> {
    const shards = await this.#job.registry.children(this.#job.path('leader', 'failover', 'items'))
    return shards.length > 0 && !this.#job.isRunning
  }

  async #shardsWith(mark: 'failover' | 'failovering', instance: string): Promise<number[]> {
    const shards: number[] = []
    for (const name of await this.#job.registry.children(this.#job.path('sharding'))) {
      const text = await this.#job.cached(this.#job.path('sharding', name, mark))
      if (text === instance) shards.push(Number(name))
    }
    return shards.toSorted((a, b) => a - b)
  }

  #waiting(shard: number | string): string {
    return this.#job.path('leader', 'failover', 'items', shard)
  }
}
