/** What goes along with the jobs of a process and has no part in running them: counts and dump ports. */
import type { Clock } from '../clock.ts'
import type { ResolvedDumpOptions } from '../config/dump-options.ts'
import { dumpComparedJob, dumpJob } from '../legacy/dump/dump-job.ts'
import { DumpPorts } from '../legacy/dump/dump-ports.ts'
import type { ElasticJobEvents, Emit } from '../events.ts'
import type { StatePaths } from '../job-tree/paths.ts'
import type { Random } from '../random.ts'
import type { ReadParts } from '../registry/read-nodes.ts'
import { StatisticsService } from '../legacy/statistics/service.ts'
import type { JobScheduler } from './job-scheduler.ts'
import { monitoringOf } from '../config/monitoring.ts'
import type { SessionSlot } from './session-slot.ts'

export interface ProcessCompanionsHost {
  readonly clock: Clock
  readonly state: StatePaths
  readonly namespace: string
  readonly random: Random
  readonly emit: Emit
  now(): number
  /** The job as it runs here, if it does. */
  schedulerOf(jobName: string): JobScheduler | undefined
  /** The sessions of this process, the first of which is there from the beginning. */
  slots(): readonly SessionSlot[]
}

type Reactions = {
  readonly [Name in keyof ElasticJobEvents]?: (payload: ElasticJobEvents[Name][0]) => void
}

export class ProcessCompanions {
  readonly #host: ProcessCompanionsHost
  readonly #statistics: StatisticsService
  readonly #ports: DumpPorts
  readonly #reactions: Reactions = {
    'job:registered': ({ jobName }) => this.#follow(jobName),
    'config:changed': ({ jobName }) => this.#follow(jobName),
    'job:stopped': ({ jobName }) => this.#leave(jobName),
    'run:completed': ({ jobName, outcome }) => this.#statistics.completed(jobName, outcome),
    'data:processed': ({ jobName, succeeded, failed }) => {
      this.#statistics.processed(jobName, succeeded, failed)
    },
  }
  #stopped = false

  constructor(dump: ResolvedDumpOptions, host: ProcessCompanionsHost) {
    const { clock, state, random, emit } = host
    this.#host = host
    this.#statistics = new StatisticsService({
      clock,
      state,
      fraction: () => random.fraction(),
      now: () => host.now(),
      failed: (jobName, error) => emit('error:unhandled', { jobName, error }),
    })
    this.#ports = new DumpPorts(dump, { clock, emit, dump: (jobName) => this.#dump(jobName) })
  }

  start(): Promise<void> {
    return this.#ports.start()
  }

  /** Something has happened here. */
  told<Name extends keyof ElasticJobEvents>(name: Name, payload: ElasticJobEvents[Name][0]): void {
    if (!this.#stopped) this.#reactions[name]?.(payload)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#statistics.stop()
    await this.#ports.stop()
  }

  #follow(jobName: string): void {
    const scheduler = this.#host.schedulerOf(jobName)
    if (scheduler === undefined) return
    const { session, configuration, replica } = scheduler
    const { port, countInterval: interval } = monitoringOf(configuration.props)
    this.#ports.follow(jobName, port)
    if (interval === 0) this.#statistics.leave(jobName)
    else this.#statistics.follow(jobName, { session, paths: replica.paths, interval })
  }

  #leave(jobName: string): void {
    this.#ports.follow(jobName, undefined)
    this.#statistics.leave(jobName)
  }

  async #dump(jobName: string): Promise<string> {
    const slots = this.#host.slots()
    const own = slots.find(({ hub }) => hub.replica(jobName) !== undefined)
    const { session, hub } = (own ?? slots[0]) as SessionSlot
    const readParts: ReadParts = (parts) => session.read(parts)
    const copy = hub.replica(jobName)
    return copy === undefined
      ? dumpJob(readParts, this.#host.namespace, jobName)
      : dumpComparedJob(readParts, copy)
  }
}
