/** A registry, workers and a console for one test file, each of them real. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startConsole, type RunningConsole } from '@elasticjob/console'
import { Operations } from '@elasticjob/core/operations'
import { openHistory } from '@elasticjob/tracing'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { WorkerProcess } from '../../cluster/worker-process.ts'
import { eventually } from '../../zookeeper/harness/eventually.ts'
import { ownedDirectory, removeOwnedDirectory } from '../../zookeeper/harness/owned-process.ts'
import type { ShopWorkerOptions } from './worker.ts'

export const namespace = 'shop'
export const passwords = { root: 'a-password-of-root', guest: 'a-password-of-guest' }

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
const maxWait = 60_000

export class Stage implements AsyncDisposable {
  readonly #directory: string
  readonly #workers = new Map<string, WorkerProcess>()
  #zookeeper: RunningServer
  #console: RunningConsole | undefined

  private constructor(directory: string, zookeeper: RunningServer) {
    this.#directory = directory
    this.#zookeeper = zookeeper
  }

  /** `ips`: one worker on each. */
  static async set(ips: readonly string[]): Promise<Stage> {
    const directory = await ownedDirectory('browser')
    const dataDir = join(directory, 'zookeeper')
    const stage = new Stage(directory, await startServer({ port: 0, dataDir }))
    // One after the other: each makes the history's file its own for a moment when it opens it.
    for (const ip of ips) await stage.startWorker(ip)
    await stage.settled()
    stage.#console = await startConsole({
      port: 0,
      directory: join(directory, 'console'),
      passwords,
      registries: [{ name: 'local', servers: stage.servers, namespace }],
      dataSources: [{ name: 'history', url: stage.history }],
      tell: () => undefined,
    })
    return stage
  }

  get url(): string {
    return this.#console?.url ?? ''
  }

  get servers(): string {
    return this.#zookeeper.connectString
  }

  get history(): string {
    return `sqlite:${join(this.#directory, 'history.db')}`
  }

  async startWorker(ip: string): Promise<void> {
    const options: ShopWorkerOptions = {
      servers: this.servers,
      namespace,
      ip,
      history: this.history,
    }
    const worker = WorkerProcess.spawn(`the worker on ${ip}`, program, options)
    this.#workers.set(ip, worker)
    await worker.loaded()
    await worker.join()
  }

  async killWorker(ip: string): Promise<void> {
    await this.#workers.get(ip)?.kill()
    this.#workers.delete(ip)
  }

  async stopZooKeeper(): Promise<void> {
    await this.#zookeeper.stop()
  }

  /** On the same port, with what it had. */
  async startZooKeeper(): Promise<void> {
    const port = Number(this.servers.split(':').at(-1))
    this.#zookeeper = await startServer({ port, dataDir: join(this.#directory, 'zookeeper') })
  }

  /** Resolves when every shard of every job has a living owner. */
  async settled(): Promise<void> {
    await using operations = await Operations.connect({ servers: this.servers, namespace })
    await eventually(
      async () => {
        const all = await operations.jobs()
        return all.length > 0 && all.every(({ status }) => status === 'OK') ? true : undefined
      },
      { what: 'every shard has an owner', timeoutMs: maxWait, intervalMs: 100 },
    )
  }

  /** Makes something to be seen: a failure in the history, and a run that goes on, whose id is the answer. */
  async enliven(): Promise<string> {
    await using operations = await Operations.connect({ servers: this.servers, namespace })
    await operations.trigger('rebuild-index')
    const runId = await eventually(
      async () => (await operations.job('rebuild-index')).shards[0]?.run?.runId,
      { what: 'a run to follow', timeoutMs: maxWait },
    )
    await using history = await openHistory({ url: this.history })
    await eventually(async () => (await history.executions({ outcomes: ['failure'] })).rows.at(0), {
      what: 'a failure in the history',
      timeoutMs: 2 * maxWait,
      intervalMs: 500,
    })
    return runId
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#console?.stop()
    await Promise.all([...this.#workers.values()].map((worker) => worker.kill()))
    await this.#zookeeper.stop()
    removeOwnedDirectory(this.#directory)
  }
}
