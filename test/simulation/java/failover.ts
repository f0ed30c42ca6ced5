/** What Java's survivors do about a crashed instance: mark its items, and take them one by one. */
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
    const taken = await this.#itemsWith('failovering', instance)
    if (taken.length > 0) {
      for (const item of taken) {
        await job.registry.createIfNeeded(this.#waiting(item))
        await job.registry.remove(job.path('sharding', item, 'running'))
        await this.takeIfNecessary()
      }
      return
    }
    const ip = instance.slice(0, instance.indexOf('@-@'))
    if (!(await job.isServerEnabled(ip))) return
    for (const item of await this.#sharding.itemsOf(instance)) {
      if (!(await job.registry.exists(job.path('sharding', item, 'running')))) continue
      await this.#flag(item)
      await this.takeIfNecessary()
    }
  }

  /** The first and only one clears what the dead have left. */
  async coldStart(): Promise<void> {
    const job = this.#job
    const available = await job.availableInstances()
    if (available.length !== 1 || available[0] !== job.instance) return
    const total = (await job.settings())?.total ?? 0
    for (let item = 0; item < total; item++) {
      const taker = await job.registry.read(job.path('sharding', item, 'failovering'))
      const runner = await job.registry.read(job.path('sharding', item, 'running'))
      if (taker !== undefined && taker !== job.instance) {
        await job.registry.createIfNeeded(this.#waiting(item))
        await job.registry.remove(job.path('sharding', item, 'failovering'))
        await job.registry.remove(job.path('sharding', item, 'running'))
      } else if (runner !== undefined && runner !== job.instance) await this.#flag(item)
    }
    await this.takeIfNecessary()
  }

  /** One item, while nothing of the job runs here. */
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

  /** The items that I have taken over. */
  taken(): Promise<number[]> {
    return this.#itemsWith('failover', this.#job.instance)
  }

  async isTaken(item: number): Promise<boolean> {
    return this.#job.registry.exists(this.#job.path('sharding', item, 'failover'))
  }

  async completed(items: readonly number[]): Promise<void> {
    for (const item of items) {
      await this.#job.registry.remove(this.#job.path('sharding', item, 'failover'))
      await this.#job.registry.remove(this.#job.path('sharding', item, 'failovering'))
    }
  }

  /** Failover was switched off. */
  async clear(): Promise<void> {
    for (const item of await this.#job.registry.children(this.#job.path('sharding'))) {
      await this.#job.registry.remove(this.#job.path('sharding', item, 'failover'))
    }
  }

  async #flag(item: number): Promise<void> {
    if (await this.isTaken(item)) return
    await this.#job.registry.createIfNeeded(this.#waiting(item))
    await this.#job.registry.remove(this.#job.path('sharding', item, 'running'))
  }

  async #isAnythingWaiting(): Promise<boolean> {
    const items = await this.#job.registry.children(this.#job.path('leader', 'failover', 'items'))
    return items.length > 0 && !this.#job.isRunning
  }

  async #itemsWith(mark: 'failover' | 'failovering', instance: string): Promise<number[]> {
    const items: number[] = []
    for (const name of await this.#job.registry.children(this.#job.path('sharding'))) {
      const text = await this.#job.cached(this.#job.path('sharding', name, mark))
      if (text === instance) items.push(Number(name))
    }
    return items.toSorted((a, b) => a - b)
  }

  #waiting(item: number | string): string {
    return this.#job.path('leader', 'failover', 'items', item)
  }
}
