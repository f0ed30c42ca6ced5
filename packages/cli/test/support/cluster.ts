/** A registry with processes that run jobs, and commands about it. */
import { fileURLToPath } from 'node:url'

import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll } from 'vitest'

import { elasticjob, type Finished, RunningCommand, type Surroundings } from './command-line.ts'

const jobs = fileURLToPath(new URL('../fixtures/jobs.mjs', import.meta.url))

export const namespace = 'cli'

export class TestCluster {
  readonly server: RunningServer
  readonly workers: readonly RunningCommand[]

  private constructor(server: RunningServer, workers: readonly RunningCommand[]) {
    this.server = server
    this.workers = workers
  }

  /** Resolves when every shard of every job has an owner. */
  static async start(workerCount: number): Promise<TestCluster> {
    const server = await startServer({ port: 0 })
    const workers = Array.from({ length: workerCount }, (_, index) => {
      const registry = ['--servers', server.connectString, '--namespace', namespace]
      return new RunningCommand(['run', jobs, '--ip', `127.0.0.${index + 1}`, ...registry])
    })
    await Promise.all(workers.map((worker) => worker.line(/^ready$/)))
    // Whoever comes to own what, the single shard of this job has one owner then.
    await Promise.race(workers.map((worker) => worker.line(/^owns endless: 0$/)))
    await Promise.any(workers.map((worker) => worker.line(/^owns greet: \d/)))
    return new TestCluster(server, workers)
  }

  get registry(): readonly string[] {
    return ['--servers', this.server.connectString, '--namespace', namespace]
  }

  /** Runs a command with this registry. */
  run(args: readonly string[], around: Surroundings = {}): Promise<Finished> {
    return elasticjob([...args, ...this.registry], around)
  }

  /** Runs a command that has to succeed, and reads its JSON. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json'])
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop('SIGKILL')))
    await this.server.stop()
  }
}

/** A cluster for all tests of a file. */
export function withCluster(workerCount = 1): { readonly cluster: TestCluster } {
  let cluster: TestCluster | undefined
  beforeAll(async () => {
    cluster = await TestCluster.start(workerCount)
  }, 30_000)
  afterAll(async () => {
    await cluster?.stop()
  })
  return {
    get cluster() {
      if (cluster === undefined) throw new Error('there is no cluster yet')
      return cluster
    },
  }
}
