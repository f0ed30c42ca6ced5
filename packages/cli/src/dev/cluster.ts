/** The server, the workers and the view of `elasticjob dev`. */
import { Operations } from '@elasticjob/core/operations'
import { startServer } from '@elasticjob/zookeeper-server'

import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { historyOfFile } from '../history/resolve.ts'
import { readSnapshot } from '../live/snapshot.ts'
import { listening } from '../listening.ts'
import { pause } from '../pause.ts'
import { historyFolder, openDevConsole } from './dev-console.ts'
import { Fires, type FiresSummary } from './fires.ts'
import { hints, introduction } from './hints.ts'
import type { WorkerMessage } from './messages.ts'
import { Moves, movesText } from './moves.ts'
import { openShop } from './shop.ts'
import { type DevView, plainView, screenView } from './view.ts'
import { type Worker, Workers } from './workers.ts'

export interface ClusterOptions {
  readonly workers: number
  readonly port: number
  /** The file with the jobs to run; undefined for the sample jobs. */
  readonly file: string | undefined
  /** When it ends by itself; undefined for never. */
  readonly seconds: number | undefined
}

/** The outcome. */
export interface ClusterEnd {
  readonly reason: 'signal' | 'time' | 'workers-gone'
  readonly summary: FiresSummary
  /** Workers that ended unexpectedly. */
  readonly lostWorkers: number
}

const namespace = 'dev'
/** The polling interval of the registry, in milliseconds. */
const lookEvery = 500
/**
 * Signals within this many milliseconds count as one: npm forwards signals that the terminal has already
 * sent.
 */
const sameSignal = 300
/** The maximum number of jobs shown of a file. */
const mostJobs = 200

/** Resolves when all processes have ended. */
export async function runCluster(cli: Cli, options: ClusterOptions): Promise<ClusterEnd> {
  const { port, file } = options
  const named = file === undefined ? undefined : await historyNamedBy(file, cli)
  // A short tick, so that a crashed worker is detected soon.
  const server = await listening({ port }, () => startServer({ port, tickTime: 1000 }))
  const shop = await openShop()
  try {
    const registry = { servers: server.connectString, namespace }
    await using operations = await Operations.connect(registry)
    await using history = await historyFolder()
    await using devConsole = await openDevConsole(registry, named ?? history.url)
    const cluster = new Cluster(cli, operations, registry.servers, devConsole.lines)
    return await cluster.run({ ...registry, file, shop: shop.url, history: history.url }, options)
  } finally {
    await shop.close()
    await server.stop()
  }
}

/** Problems of a file are reported before anything starts. */
async function historyNamedBy(file: string, { terminal }: Cli): Promise<string | undefined> {
  const { tracingOptionsOf } = await import('@elasticjob/tracing')
  return historyOfFile(file, true, terminal.environment, tracingOptionsOf)?.url
}

type Task = Parameters<Workers['start']>[1]

class Cluster {
  readonly #cli: Cli
  readonly #operations: Operations
  readonly #workers: Workers
  readonly #view: DevView
  readonly #fires: Fires
  /** The lines of the console. */
  readonly #notes: readonly string[]
  readonly #moves = new Moves()
  readonly #shardCounts = new Map<string, number>()
  #refusal: string | undefined
  #lostWorkers = 0
  #stopping: { readonly reason: 'signal' | 'time'; readonly since: number } | undefined

  constructor(cli: Cli, operations: Operations, servers: string, notes: readonly string[]) {
    this.#cli = cli
    this.#operations = operations
    this.#workers = new Workers({
      received: (worker, message) => this.#heard(worker, message),
      ended: (worker, how) => this.#missed(worker, how),
    })
    const parts = { servers, namespace, notes, workers: this.#workers }
    this.#notes = notes
    this.#view = cli.terminal.isScreen ? screenView(cli, parts) : plainView(cli)
    this.#fires = new Fires(
      (jobName) => this.#shardCounts.get(jobName),
      (fire) => this.#view.fired(fire, this.#shardCounts.get(fire.jobName)),
    )
  }

  async run(task: Task, { workers, seconds }: ClusterOptions): Promise<ClusterEnd> {
    const told = (): void => this.#told()
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const signal of signals) process.on(signal, told)
    for (let number = 1; number <= workers; number++) this.#workers.start(number, task)
    if (!this.#cli.terminal.isScreen) this.#introduce(task, seconds)
    const timer =
      seconds === undefined
        ? undefined
        : this.#cli.clock.setTimer(() => this.#stop('time'), seconds * 1000)
    try {
      await this.#watch()
    } finally {
      timer?.cancel()
      this.#workers.kill()
      this.#view.close()
      for (const signal of signals) process.off(signal, told)
    }
    if (this.#refusal !== undefined) throw new CommandError('CLI_FAILED', this.#refusal)
    return {
      reason: this.#stopping?.reason ?? 'workers-gone',
      summary: this.#fires.summary(),
      lostWorkers: this.#lostWorkers,
    }
  }

  #introduce(task: Task, seconds: number | undefined): void {
    const { output } = this.#cli
    const { servers } = task
    for (const line of introduction({ servers, namespace, workers: this.#workers.all, seconds })) {
      output.line(line)
    }
    for (const line of this.#notes) output.line(line)
    for (const line of hints({ servers, namespace, workers: this.#workers.all })) output.line(line)
    output.line()
  }

  /** Polls until no worker is left. */
  async #watch(): Promise<void> {
    const { clock } = this.#cli
    const gone = new AbortController()
    void this.#workers.allEnded().then(() => gone.abort())
    while (!gone.signal.aborted) {
      const time = new Date(clock.now())
      const snapshot = await readSnapshot(this.#operations, { wanted: [], limit: mostJobs, time })
      for (const { jobName, shardingTotalCount } of snapshot.jobs) {
        this.#shardCounts.set(jobName, shardingTotalCount)
      }
      const moved = this.#moves.see(snapshot.jobs)
      // Moves during the shutdown are not reported.
      if (moved.size > 0 && this.#stopping === undefined) this.#view.say(movesText(moved))
      this.#view.draw(snapshot)
      await pause(clock, lookEvery, gone.signal)
    }
  }

  #heard(worker: Worker, message: WorkerMessage): void {
    switch (message.kind) {
      case 'joined':
        return this.#view.say(`${worker.name} joined`)
      case 'ran':
        return this.#fires.ran(worker.name, message.run)
      case 'failed': {
        const { jobName, shard } = message.run
        return this.#view.say(
          `${worker.name}: shard ${shard} of ${jobName} failed: ${message.reason}`,
        )
      }
      case 'refused':
        this.#refusal = message.reason
    }
  }

  #missed(worker: Worker, how: string): void {
    this.#lostWorkers += 1
    this.#view.say(
      worker.state === 'left'
        ? `${worker.name} left: its shards move to other workers`
        : `${worker.name} crashed (${how}): its shards move when its session expires`,
    )
  }

  #told(): void {
    const { clock } = this.#cli
    if (this.#stopping === undefined) this.#stop('signal')
    else if (clock.monotonic() - this.#stopping.since >= sameSignal) {
      // The second signal: do not wait for active runs.
      this.#workers.kill()
      this.#view.close()
      process.exit(exitCodes.interrupted)
    }
  }

  #stop(reason: 'signal' | 'time'): void {
    if (this.#stopping !== undefined) return
    this.#stopping = { reason, since: this.#cli.clock.monotonic() }
    this.#view.say('stopping: waiting for active runs')
    this.#workers.stop()
  }
}
