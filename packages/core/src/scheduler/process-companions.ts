/** The services of a process beside its jobs: statistics and dump ports. They take no part in running jobs. */
import type { ResolvedDumpOptions } from '../config/dump-options.ts'
import { dumpComparedJob, dumpJob } from '../legacy/dump/dump-job.ts'
import { DumpPorts } from '../legacy/dump/dump-ports.ts'
import type { ElasticJobEvents } from '../events.ts'
import type { ReadParts } from '../registry/read-nodes.ts'
import { StatisticsService } from '../legacy/statistics/service.ts'
import type { JobScheduler } from './job-scheduler.ts'
import { monitoringOf } from '../config/monitoring.ts'
import type { ProcessServices } from './process-services.ts'
import type { SessionPool } from './session-pool.ts'
import type { SessionSlot } from './session-slot.ts'

type Reactions = {
  readonly [Name in keyof ElasticJobEvents]?: (payload: ElasticJobEvents[Name][0]) => void
}

export class ProcessCompanions {
  readonly #namespace: string
  readonly #schedulers: ReadonlyMap<string, JobScheduler>
  readonly #pool: Pick<SessionPool, 'slots'>
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

  /** `schedulers`: the jobs of this process. `pool`: the sessions; the first one is open from the start. */
  constructor(
    dump: ResolvedDumpOptions,
    { clock, namespace, state, random, time, emit }: ProcessServices,
    schedulers: ReadonlyMap<string, JobScheduler>,
    pool: Pick<SessionPool, 'slots'>,
  ) {
    this.#namespace = namespace
    this.#schedulers = schedulers
    this.#pool = pool
    this.#statistics = new StatisticsService({
      clock,
      state,
      fraction: () => random.fraction(),
      now: () => time.now(),
      failed: (jobName, error) => emit('error:unhandled', { jobName, error }),
    })
    this.#ports = new DumpPorts(dump, { clock, emit, dump: (jobName) => this.#dump(jobName) })
  }

  start(): Promise<void> {
    return this.#ports.start()
  }

  /** Reacts to an event of this process. */
  told<Name extends keyof ElasticJobEvents>(name: Name, payload: ElasticJobEvents[Name][0]): void {
    if (!this.#stopped) this.#reactions[name]?.(payload)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#statistics.stop()
    await this.#ports.stop()
  }

  #follow(jobName: string): void {
    const scheduler = this.#schedulers.get(jobName)
    if (scheduler === undefined) return
    const { session, live, replica } = scheduler.context
    const { port, countInterval: interval } = monitoringOf(live.value.props)
    this.#ports.follow(jobName, port)
    if (interval === 0) this.#statistics.leave(jobName)
    else this.#statistics.follow(jobName, { session, paths: replica.paths, interval })
  }

  #leave(jobName: string): void {
    this.#ports.follow(jobName, undefined)
    this.#statistics.leave(jobName)
  }

  async #dump(jobName: string): Promise<string> {
    const { slots } = this.#pool
    const own = slots.find(({ hub }) => hub.replica(jobName) !== undefined)
    const { session, hub } = (own ?? slots[0]) as SessionSlot
    const readParts: ReadParts = (parts) => session.read(parts)
    const copy = hub.replica(jobName)
    return copy === undefined
      ? dumpJob(readParts, this.#namespace, jobName)
      : dumpComparedJob(readParts, copy)
  }
}
