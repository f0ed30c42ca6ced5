/** A registry and a console, with workers in this process if any: for what needs no more. */
import { type ListenOptions, type RunningConsole, startConsole } from '@elasticjob/console'
import { ElasticJob } from '@elasticjob/core'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { namespace, passwords } from './stage.ts'

export class Booth implements AsyncDisposable {
  readonly #zookeeper: RunningServer
  readonly #workers: ElasticJob[] = []
  #console: RunningConsole | undefined

  private constructor(zookeeper: RunningServer) {
    this.#zookeeper = zookeeper
  }

  static async set(): Promise<Booth> {
    return new Booth(await startServer({ port: 0 }))
  }

  get servers(): string {
    return this.#zookeeper.connectString
  }

  get url(): string {
    return this.#console?.url ?? ''
  }

  async openConsole(options: ListenOptions = {}): Promise<void> {
    this.#console = await startConsole({
      port: 0,
      directory: false,
      passwords,
      registries: [{ name: 'local', servers: this.servers, namespace }],
      tell: () => undefined,
      ...options,
    })
  }

  async work(ip: string): Promise<ElasticJob> {
    const worker = await ElasticJob.connect({
      servers: this.servers,
      namespace,
      ip,
      logger: false,
      drainOnSignals: false,
    })
    this.#workers.push(worker)
    return worker
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#console?.stop()
    await Promise.all(this.#workers.map((worker) => worker.stop({ drain: false })))
    await this.#zookeeper.stop()
  }
}
