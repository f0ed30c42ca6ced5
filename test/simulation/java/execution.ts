/** One trigger of Java's: which shards, the marks around them, and the misfires behind them. */
import type { JavaFailover } from './failover.ts'
import type { JavaJob, JavaSettings } from './java-job.ts'
import type { JavaSharding } from './sharding.ts'

/** How a run came about. */
export interface JavaCause {
  /** When it was last seen that nobody runs the shard. */
  readonly checkedAt: number
  /** Whether a scheduled time has come, and it is for that. */
  readonly isFire: boolean
}

/** The code of one shard. */
export type JavaBody = (shard: number, cause: JavaCause) => Promise<void>

export class JavaExecution {
  readonly #job: JavaJob
  readonly #sharding: JavaSharding
  readonly #failover: JavaFailover
  readonly #body: JavaBody
  readonly #now: () => number

  constructor(
    parts: { job: JavaJob; sharding: JavaSharding; failover: JavaFailover; now: () => number },
    body: JavaBody,
  ) {
    this.#job = parts.job
    this.#sharding = parts.sharding
    this.#failover = parts.failover
    this.#now = parts.now
    this.#body = body
  }

  async execute(isFire: boolean): Promise<void> {
    const settings = await this.#job.settings()
    if (settings === undefined || this.#job.isShutDown) return
    const { shards, areTaken } = await this.#shardsToRun(settings)
    const cause = { checkedAt: this.#now(), isFire: isFire && !areTaken }
    const idle = settings.monitorExecution ? await this.#without(shards, 'running') : shards
    await this.#run(idle, settings, cause)
    while (settings.misfire && (await this.#hasMisfired(idle))) {
      for (const shard of idle) await this.#remove(shard, 'misfire')
      await this.#run(idle, settings, { checkedAt: this.#now(), isFire: false })
    }
    if (await this.#failsOver()) await this.#failover.takeIfNecessary()
  }

  /** A scheduled time has passed while something ran. */
  async misfired(): Promise<void> {
    const settings = await this.#job.settings()
    if (settings?.monitorExecution !== true) return
    for (const shard of await this.#sharding.localShards()) {
      await this.#job.registry.createIfNeeded(this.#job.path('sharding', shard, 'misfire'))
    }
  }

  /** After a reconnect nothing counts as running here, whatever runs. */
  async clearRunning(shards: readonly number[]): Promise<void> {
    for (const shard of shards) await this.#remove(shard, 'running')
  }

  /** What was taken over comes alone; else all that is mine, not switched off and not taken by others. */
  async #shardsToRun({ failover }: JavaSettings): Promise<{ shards: number[]; areTaken: boolean }> {
    if (failover) {
      const taken = await this.#failover.taken()
      if (taken.length > 0) return { shards: taken, areTaken: true }
    }
    await this.#sharding.shardIfNecessary()
    const mine = await this.#sharding.localShards()
    const free = failover ? await this.#without(mine, 'failover') : mine
    return { shards: await this.#without(free, 'disabled'), areTaken: false }
  }

  async #run(shards: readonly number[], settings: JavaSettings, cause: JavaCause): Promise<void> {
    if (shards.length === 0 || this.#job.isShutDown) return
    const { registry, instance } = this.#job
    this.#job.isRunning = true
    try {
      if (settings.monitorExecution) {
        for (const shard of shards) {
          const path = this.#job.path('sharding', shard, 'running')
          if (settings.failover) await registry.persist(path, instance)
          else await registry.persistEphemeral(path, instance)
        }
      }
      await Promise.all(shards.map((shard) => this.#body(shard, cause)))
    } finally {
      this.#job.isRunning = false
    }
    if (settings.monitorExecution) await this.clearRunning(shards)
    if (await this.#failsOver()) await this.#failover.completed(shards)
  }

  /** It may have been switched off while something ran. */
  async #failsOver(): Promise<boolean> {
    return (await this.#job.settings())?.failover === true
  }

  async #hasMisfired(shards: readonly number[]): Promise<boolean> {
    if (this.#job.isShutDown || (await this.#sharding.isNeeded())) return false
    for (const shard of shards) {
      if (await this.#job.registry.exists(this.#job.path('sharding', shard, 'misfire'))) return true
    }
    return false
  }

  async #without(
    shards: readonly number[],
    mark: 'running' | 'failover' | 'disabled',
  ): Promise<number[]> {
    const left: number[] = []
    for (const shard of shards) {
      const path = this.#job.path('sharding', shard, mark)
      if (!(await this.#job.registry.exists(path))) left.push(shard)
    }
    return left
  }

  #remove(shard: number, mark: 'running' | 'misfire'): Promise<void> {
    return this.#job.registry.remove(this.#job.path('sharding', shard, mark))
  }
}
