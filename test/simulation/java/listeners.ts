/** What a Java instance does when something changes below its job: all of it on one thread, one after the other. */
import type { JavaElection } from './election.ts'
import type { JavaFailover } from './failover.ts'
import { type JavaJob, settingsOf } from './java-job.ts'
import type { JavaSharding } from './sharding.ts'

export interface JavaChange {
  readonly type: 'added' | 'updated' | 'deleted'
  readonly path: string
  readonly text: string
}

export interface ListenerParts {
  readonly job: JavaJob
  readonly election: JavaElection
  readonly sharding: JavaSharding
  readonly failover: JavaFailover
  trigger(): void
  reschedule(period: number): void
  shutDown(): Promise<void>
}

export class JavaListeners {
  readonly #parts: ListenerParts
  readonly #queue: JavaChange[] = []
  #isWorking = false
  #total: number
  #period: number

  constructor(parts: ListenerParts, total: number, period: number) {
    this.#parts = parts
    this.#total = total
    this.#period = period
  }

  notify(change: JavaChange): void {
    this.#queue.push(change)
    if (!this.#isWorking) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let change = this.#queue.shift(); change !== undefined; change = this.#queue.shift()) {
      if (this.#parts.job.isShutDown) break
      await this.#parts.job.registry.quietly(this.#handle(change))
    }
    this.#isWorking = false
  }

  async #handle(change: JavaChange): Promise<void> {
    const { job } = this.#parts
    const [folder, name, last] = change.path.slice(job.root.length + 1).split('/')
    if (folder === 'servers' && name !== undefined) await this.#server(name, change)
    else if (folder === 'leader' && last === 'instance') await this.#leader(change)
    else if (folder === 'instances' && name !== undefined) await this.#instance(name, change)
    else if (folder === 'config') await this.#configuration(change)
    else if (folder === 'trigger' && name === job.instance) await this.#triggered(change)
  }

  async #server(ip: string, { type, text }: JavaChange): Promise<void> {
    const { job, election } = this.#parts
    if (ip === job.ip && type !== 'deleted') {
      if (text === 'DISABLED') {
        if (await election.isLeader()) await election.abdicate()
      } else if (!(await election.hasLeader())) await election.elect()
    }
    await this.#requestSharding()
  }

  async #leader({ type }: JavaChange): Promise<void> {
    const { job, election } = this.#parts
    if (type === 'deleted' && (await job.isServerAvailable(job.ip))) await election.elect()
  }

  async #instance(instance: string, { type, path }: JavaChange): Promise<void> {
    const { job, failover } = this.#parts
    if (type === 'updated') return
    await this.#requestSharding()
    const isOn = (await job.settings())?.failover === true
    if (type === 'deleted' && instance === job.instance) {
      if (!job.isPaused && !(await job.registry.exists(path))) await this.#parts.shutDown()
    } else if (type === 'deleted' && isOn) await failover.crashed(instance)
    else if (type === 'added' && instance === job.instance && isOn) await failover.coldStart()
  }

  async #configuration({ type, text }: JavaChange): Promise<void> {
    const { job, sharding, failover } = this.#parts
    const settings = settingsOf(text)
    if (settings === undefined) return
    if (settings.total !== this.#total) {
      this.#total = settings.total
      await sharding.request()
    }
    if (type !== 'updated') return
    if (!settings.failover) await failover.clear()
    if (!settings.monitorExecution) {
      for (const shard of await job.registry.children(job.path('sharding'))) {
        await job.registry.remove(job.path('sharding', shard, 'running'))
      }
    }
    if (settings.period !== this.#period) {
      this.#period = settings.period
      this.#parts.reschedule(settings.period)
    }
  }

  async #triggered({ type, path }: JavaChange): Promise<void> {
    const { job } = this.#parts
    if (type !== 'added') return
    await job.registry.remove(path)
    if (!job.isShutDown && !job.isRunning) this.#parts.trigger()
  }

  async #requestSharding(): Promise<void> {
    const { job, sharding } = this.#parts
    const isStatic = (await job.settings())?.staticSharding === true
    if (isStatic && (await sharding.hasShards())) return
    await sharding.request()
  }
}
