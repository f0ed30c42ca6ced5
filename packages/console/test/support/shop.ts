import { ElasticJob, type JobOptions, type SimpleJob } from '@elasticjob/core'
import { type ServerOptions, startServer } from '@elasticjob/zookeeper-server'

import type { JobDetail } from '../../src/contract/jobs.ts'
import { type Console, type ConsoleOptions, createConsole } from '../../src/index.ts'
import { LiveReader } from './live-reader.ts'
import { Visitor } from './visitor.ts'

/** What nobody has to wait for: it fires once a year. */
const rarely = '0 0 0 1 1 ?'
export const passwords = { root: 'root-of-the-shop', guest: 'guest-of-the-shop' }

type Server = Awaited<ReturnType<typeof startServer>>

/** A registry, two servers that run jobs, and a console that looks at them. */
export class Shop implements AsyncDisposable {
  readonly server: Server
  readonly workers: ElasticJob[] = []
  readonly console: Console
  readonly namespace = 'shop'

  private constructor(server: Server, console: Console) {
    this.server = server
    this.console = console
  }

  static async open(
    options: Partial<ConsoleOptions> = {},
    registry: ServerOptions = {},
  ): Promise<Shop> {
    const server = await startServer({ port: 0, ...registry })
    const console = await createConsole({
      registries: [{ name: 'main', servers: server.connectString, namespace: 'shop' }],
      directory: false,
      page: false,
      passwords,
      ...options,
    })
    return new Shop(server, console)
  }

  /** With one worker that has a job, which the console shows already. */
  static async openWithOrders(): Promise<Shop> {
    const shop = await Shop.open()
    await shop.work('10.0.0.1')
    await shop.schedule({ jobName: 'orders' })
    await shop.shows('orders', ({ status }) => status === 'OK')
    return shop
  }

  /** One more process that takes part in jobs. */
  async work(ip: string): Promise<ElasticJob> {
    const worker = await ElasticJob.connect({
      servers: this.server.connectString,
      namespace: this.namespace,
      ip,
      logger: false,
      drainOnSignals: false,
      stopLimit: 100,
    })
    this.workers.push(worker)
    return worker
  }

  /** The same job on every worker. */
  async schedule(
    job: Partial<JobOptions> & { jobName: string },
    body: SimpleJob = quick,
  ): Promise<void> {
    const options = { cron: rarely, shardingTotalCount: 3, overwrite: true, ...job }
    for (const worker of this.workers) await worker.schedule(options, body)
  }

  /** Resolves when the console shows a job as it is meant to be. */
  async shows(jobName: string, isMeant: (job: JobDetail) => boolean): Promise<JobDetail> {
    const live = await LiveReader.open(this.root, `job=${encodeURIComponent(jobName)}`)
    try {
      const { detail } = await live.until(
        'job',
        (message) => message.detail !== undefined && isMeant(message.detail),
      )
      return detail as JobDetail
    } finally {
      await live.close()
    }
  }

  get root(): Visitor {
    return new Visitor(this.console, { basic: ['root', passwords.root] })
  }

  get guest(): Visitor {
    return new Visitor(this.console, { basic: ['guest', passwords.guest] })
  }

  get nobody(): Visitor {
    return new Visitor(this.console)
  }

  get impostor(): Visitor {
    return new Visitor(this.console, { basic: ['root', 'not-the-password'] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.console.stop()
    await Promise.all(this.workers.map((worker) => worker.stop({ drain: false })))
    await this.server.stop()
  }
}

const quick: SimpleJob = () => {}
