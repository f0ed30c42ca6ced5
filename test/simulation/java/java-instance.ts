/**
 * A model of an instance of ElasticJob for Java, with what is known to be wrong with it: what it does to
 * the registry, in which order, and what it takes for granted between one request and the next.
 */
import {
  type CachedNode,
  type Clock,
  toText,
  TreeCache,
  ZooKeeper,
  type ZooKeeperOptions,
} from '@elasticjob/zookeeper'

import { Curator } from './curator.ts'
import { JavaElection } from './election.ts'
import { type JavaBody, JavaExecution } from './execution.ts'
import { JavaFailover } from './failover.ts'
import { JavaJob } from './java-job.ts'
import { JavaListeners } from './listeners.ts'
import { Quartz } from './quartz.ts'
import { JavaSharding } from './sharding.ts'

/** The class of its jobs. */
export const javaClass = 'org.example.Job'

export interface JavaInstanceOptions {
  readonly client: ZooKeeperOptions & { readonly clock: Clock }
  readonly namespace: string
  readonly jobName: string
  readonly ip: string
  readonly pid: number
  /** The job's configuration, should nobody have made it before. */
  readonly configText: string
  readonly body: JavaBody
}

export class JavaInstance {
  readonly instance: string
  readonly #options: JavaInstanceOptions
  readonly #client: ZooKeeper
  readonly #registry: Curator
  readonly #job: JavaJob
  readonly #cache: TreeCache
  readonly #election: JavaElection
  readonly #sharding: JavaSharding
  readonly #failover: JavaFailover
  readonly #execution: JavaExecution
  readonly #quartz: Quartz
  #connectionChanges: Promise<void> = Promise.resolve()

  constructor(options: JavaInstanceOptions) {
    const { namespace, jobName, ip, pid } = options
    const { clock } = options.client
    const root = `/${namespace}/${jobName}`
    this.#options = options
    this.instance = `${ip}@-@${pid}`
    this.#client = new ZooKeeper(options.client)
    const registry = new Curator(this.#client, clock)
    this.#registry = registry
    this.#cache = new TreeCache(this.#client, root)
    this.#job = new JavaJob({ jobName, root, instance: this.instance, ip, registry }, this.#cache)
    this.#election = new JavaElection(this.#job)
    this.#sharding = new JavaSharding(this.#job, this.#election)
    this.#quartz = new Quartz({
      clock,
      execute: (isFire) => registry.quietly(this.#execution.execute(isFire)),
      misfired: () => registry.quietly(this.#execution.misfired()),
    })
    this.#failover = new JavaFailover(this.#job, this.#sharding, () => this.#quartz.trigger())
    this.#execution = new JavaExecution(
      {
        job: this.#job,
        sharding: this.#sharding,
        failover: this.#failover,
        now: () => clock.monotonic(),
      },
      options.body,
    )
  }

  async start(): Promise<void> {
    const job = this.#job
    const registry = this.#registry
    await this.#client.connect()
    if (!(await registry.exists(job.path('config')))) {
      await registry.persist(job.path('config'), this.#options.configText)
      await registry.persist(job.root, javaClass)
    }
    const settings = await job.readSettings()
    const period = settings?.period ?? 1000
    this.#listen(settings?.total ?? 0, period)
    await this.#cache.start()
    await this.#election.elect()
    await registry.persist(job.path('servers', job.ip), 'ENABLED')
    await this.#register()
    this.#quartz.schedule(period)
  }

  /** As the shutdown hook does it: what runs ends first. */
  async stop(): Promise<void> {
    await this.#quartz.shutDown()
    if (await this.#election.isLeader()) await this.#election.abdicate()
    await this.#registry.remove(this.#job.path('instances', this.instance))
    this.#job.isShutDown = true
    await this.#client.close()
  }

  /** Its node was deleted: it takes no part any more, until it is started again. */
  async #shutDown(): Promise<void> {
    if (await this.#election.isLeader()) await this.#election.abdicate()
    this.#job.isShutDown = true
    void this.#quartz.shutDown()
    await this.#cache.stop()
  }

  #listen(total: number, period: number): void {
    const listeners = new JavaListeners(
      {
        job: this.#job,
        election: this.#election,
        sharding: this.#sharding,
        failover: this.#failover,
        trigger: () => this.#quartz.trigger(),
        reschedule: (changed) => this.#quartz.schedule(changed),
        shutDown: () => this.#shutDown(),
      },
      total,
      period,
    )
    const told = (type: 'added' | 'updated', { path, data }: CachedNode): void =>
      listeners.notify({ type, path, text: toText(data) })
    this.#cache.on('node:created', (node) => told('added', node))
    this.#cache.on('node:changed', (node) => told('updated', node))
    this.#cache.on('node:removed', ({ path }) => {
      listeners.notify({ type: 'deleted', path, text: '' })
    })
    this.#client.on('session:suspended', () => {
      this.#connectionChanged(() => {
        this.#job.isPaused = true
        this.#quartz.pause()
      })
    })
    const reconnected = (): void => this.#connectionChanged(() => this.#reconnected())
    this.#client.on('session:reconnected', reconnected)
    this.#client.on('session:renewed', reconnected)
  }

  /** Curator tells of connections on one thread: the next change waits until the one before is assigned with. */
  #connectionChanged(handle: () => Promise<void> | void): void {
    this.#connectionChanges = this.#connectionChanges.then(async () => {
      if (!this.#job.isShutDown) await this.#registry.quietly(Promise.resolve(handle()))
    })
  }

  /** The same id again, whatever became of it; and nothing counts as running here any more. */
  async #reconnected(): Promise<void> {
    const job = this.#job
    const isEnabled = await job.isServerEnabled(job.ip)
    await this.#registry.persist(job.path('servers', job.ip), isEnabled ? 'ENABLED' : 'DISABLED')
    await this.#register()
    await this.#execution.clearRunning(await this.#sharding.localShards())
    job.isPaused = false
    await this.#quartz.resume()
  }

  #register(): Promise<void> {
    const text = `jobInstanceId: ${this.instance}\nserverIp: ${this.#job.ip}\n`
    return this.#registry.persistEphemeral(this.#job.path('instances', this.instance), text)
  }
}
