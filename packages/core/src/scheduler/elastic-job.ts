/** Composes the scheduler of a process. */
import { EventEmitter } from 'node:events'

import type { JobConfiguration } from '../config/job-configuration.ts'
import { resolveJob } from '../config/resolve-job.ts'
import { ConfigurationError, ElasticJobError } from '../errors.ts'
import type { ElasticJobEvents, Emit } from '../events.ts'
import type { ThroughputDataflow } from '../job-types/dataflow/dataflow.ts'
import { type AnyBody, type JobBody, JobTypes } from '../job-types/job-types.ts'
import {
  parameterOf,
  storedParameter,
  validParameter,
  withValidParameter,
} from '../job-types/parameter.ts'
import { preload, readPreload } from '../legacy/preload.ts'
import type { RaisedTimeout } from '../registry/connect.ts'
import { stackOf } from '../thrown.ts'
import {
  type ElasticJobOptions,
  resolveElasticJob,
  type ResolvedElasticJobOptions,
  type StopOptions,
} from './elastic-job-options.ts'
import { logLineOf } from './event-log.ts'
import { JobScheduler } from './job-scheduler.ts'
import { Job } from './job.ts'
import { ProcessCompanions } from './process-companions.ts'
import { openSession } from './open-session.ts'
import { createServices, extensionProblemsOf, type ProcessServices } from './process-services.ts'
import type { JobRuntimeStatus, ProcessStatus } from './process-status.ts'
import { problemsOfLocal, type ScheduleOptions } from './schedule-options.ts'
import { Semaphore } from './semaphore.ts'
import { ephemeralBytesOf, SessionPool } from './session-pool.ts'
import type { SessionSlot } from './session-slot.ts'
import { drainOnSignals } from './signals.ts'
import { within } from './within.ts'

/** The limit of ephemeral path bytes in one session; see `SessionPool`. */
const sessionBytes = 512 * 1024
/** The bytes of the session's own nodes below `alive` and `lease`. */
const ownBytes = 1024

/**
 * How long error handlers may take to send their pending notifications after everything else has stopped, and listeners
 * of `scheduler:stopped` to store their data, in milliseconds. The supervisor that ends this process may already have
 * waited for its runs.
 */
const tellingLimit = 5000

/**
 * How many jobs join at once; if thousands are scheduled together, the others wait. All of them at once would block the
 * event loop, including the pings of the sessions.
 */
const joinedAtOnce = 200

/**
 * Schedules jobs over many processes, through one registry.
 *
 * ```ts
 * const jobs = await ElasticJob.connect({ servers: '127.0.0.1:2181', namespace: 'shop' })
 * await jobs.schedule(
 *   { jobName: 'sync-orders', cron: '0/10 * * * * ?', shardingTotalCount: 3 },
 *   async ({ shardingItem, signal }) => {},
 * )
 * ```
 */
export class ElasticJob extends EventEmitter<ElasticJobEvents & { error: [Error] }> {
  readonly #options: ResolvedElasticJobOptions
  readonly #services: ProcessServices
  readonly #jobTypes: JobTypes
  readonly #pool: SessionPool
  readonly #companions: ProcessCompanions
  readonly #jobs = new Map<string, Promise<Job>>()
  readonly #schedulers = new Map<string, JobScheduler>()
  readonly #joining = new Semaphore(joinedAtOnce)
  #stopped: Promise<void> | undefined
  #ignoreSignals: () => void = () => {}
  #raisedTimeout: RaisedTimeout | undefined

  private constructor(options: ResolvedElasticJobOptions) {
    super()
    this.#options = options
    this.#services = createServices(options, this, this.#tell)
    this.#jobTypes = new JobTypes(options.clock, options.jobTypes)
    this.#pool = new SessionPool(sessionBytes - ownBytes, () =>
      openSession(options, this.#services, (raised) => {
        this.#raisedTimeout = raised
      }),
    )
    this.#companions = new ProcessCompanions(
      options.dump,
      this.#services,
      this.#schedulers,
      this.#pool,
    )
  }

  /** Resolves when the process is connected to the registry. */
  static async connect(options: ElasticJobOptions): Promise<ElasticJob> {
    const resolved = resolveElasticJob(options)
    const jobs = new ElasticJob(resolved)
    await jobs.#start()
    jobs.#tellRaisedTimeout()
    if (resolved.drainOnSignals) jobs.#ignoreSignals = drainOnSignals(jobs)
    return jobs
  }

  /** The address that identifies this process. */
  get ip(): string {
    return this.#services.ip
  }

  get namespace(): string {
    return this.#services.namespace
  }

  /** The current state of the sessions and jobs of this process. */
  status(): ProcessStatus {
    const jobs: JobRuntimeStatus[] = []
    for (const { status } of this.#schedulers.values()) {
      if (status !== undefined) jobs.push(status)
    }
    return { sessions: this.#pool.slots.map(({ status }) => status), jobs }
  }

  /** The registry's time. */
  now(): Date {
    return new Date(this.#services.time.now())
  }

  /** How many sessions the jobs of this process use. */
  get sessionCount(): number {
    return this.#pool.slots.length
  }

  /**
   * Joins a job. A job without a cron expression runs only when it is triggered. Resolves when this instance is
   * registered. The body is a function, a dataflow, a type (`{ type: 'SCRIPT' }`), or a runner such as `inWorker()`.
   */
  schedule<Parameter = unknown, T = unknown>(
    options: ScheduleOptions<Parameter>,
    body: JobBody<T, Parameter>,
  ): Promise<Job<Parameter>>
  // A separate overload: in a union with the other bodies, an inline dataflow would get no inferred types.
  schedule<Parameter = unknown, T = unknown>(
    options: ScheduleOptions<Parameter>,
    body: ThroughputDataflow<T, Parameter>,
  ): Promise<Job<Parameter>>
  schedule<Parameter, T>(
    options: ScheduleOptions<Parameter>,
    body: JobBody<T, Parameter> | ThroughputDataflow<T, Parameter>,
  ): Promise<Job<Parameter>> {
    const { jobName } = options
    if (this.#stopped !== undefined) {
      return Promise.reject(new ElasticJobError('JOB_STOPPED', 'this scheduler has been stopped'))
    }
    if (this.#jobs.has(jobName)) {
      const why =
        this.#schedulers.get(jobName)?.membership.isStopping === true
          ? 'is stopping in this process: its code still runs; wait for it to end'
          : 'is scheduled in this process already; stop it first, or choose another name'
      return Promise.reject(new ElasticJobError('JOB_ALREADY_SCHEDULED', `job ${jobName} ${why}`))
    }
    // The schema, or the caller, guarantees that the parameter in the body's context has this type.
    const job = this.#schedule(options, body as AnyBody<T>)
    this.#jobs.set(jobName, job)
    job.catch(() => this.#jobs.delete(jobName))
    return job
  }

  /** The jobs that this process takes part in. */
  get jobNames(): readonly string[] {
    return [...this.#schedulers.keys()]
  }

  /** The configuration of a job that is in effect; undefined if this process does not take part in the job. */
  configurationOf(jobName: string): JobConfiguration | undefined {
    return this.#schedulers.get(jobName)?.context.live.value
  }

  /** Leaves all jobs, drains their runs, and closes the sessions. */
  stop({ drain = true }: StopOptions = {}): Promise<void> {
    this.#stopped ??= this.#stop(drain ? this.#services.stopLimit : 0)
    return this.#stopped
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Checks all options before any effect. */
  async #start(): Promise<void> {
    const { registry } = this.#options
    const { localPropertiesPath: path, namespace } = registry
    const properties = path === undefined ? [] : await readPreload(path, namespace)
    await this.#pool.start()
    try {
      const { session } = this.#pool.slots[0] as SessionSlot
      await preload(session.client, registry, properties)
      await this.#companions.start()
    } catch (error) {
      await this.#pool.close()
      throw error
    }
  }

  async #stop(limit: number): Promise<void> {
    // A job whose setup is still in progress fails with an error, and its own cleanup stops it.
    await Promise.all(
      [...this.#schedulers.values()].map(({ membership }) => membership.stop(limit)),
    )
    await Promise.allSettled(this.#jobs.values())
    this.#schedulers.clear()
    this.#jobs.clear()
    this.#services.timing.stop()
    await this.#companions.stop()
    const toldWithin = Math.min(limit, tellingLimit)
    await Promise.all([
      this.#pool.close(),
      this.#services.errorHandlers.stop(toldWithin),
      this.#tellStopped(toldWithin),
    ])
    this.#ignoreSignals()
  }

  /** Listeners may have data to store before the process ends. */
  async #tellStopped(limit: number): Promise<void> {
    const works: Promise<unknown>[] = []
    this.#services.emit('scheduler:stopped', { waitFor: (work) => works.push(work) })
    if (works.length === 0) return
    await within(this.#services.clock, limit, Promise.allSettled(works))
  }

  async #schedule<T, Parameter>(
    options: ScheduleOptions<Parameter>,
    body: AnyBody<T>,
  ): Promise<Job<Parameter>> {
    const { onError: _, parameter, parameterSchema, ...described } = options
    const stored =
      parameter === undefined
        ? described
        : { ...described, jobParameter: storedParameter(options.jobName, parameter) }
    const configuration = resolveJob(stored)
    // Checks all names that the configuration uses before any write.
    const problems = [
      ...problemsOfLocal(options),
      ...this.#jobTypes.problemsOf(body, configuration.props),
      ...extensionProblemsOf(this.#services, configuration),
    ]
    if (problems.length > 0) throw new ConfigurationError(`the job "${options.jobName}"`, problems)
    if (parameterSchema !== undefined) {
      const value = parameterOf(configuration.jobParameter)
      await validParameter(options.jobName, parameterSchema, value)
    }
    if (!this.#joining.tryTake()) await this.#joining.wait()
    try {
      return await this.#join(configuration, options, body)
    } finally {
      this.#joining.free()
    }
  }

  async #join<T, Parameter>(
    configuration: JobConfiguration,
    options: ScheduleOptions<Parameter>,
    body: AnyBody<T>,
  ): Promise<Job<Parameter>> {
    const { jobName } = configuration
    const { namespace, state } = this.#services
    const bytes = ephemeralBytesOf(namespace, state, configuration)
    const slot = await this.#pool.reserve(jobName, bytes)
    const jobType = 'type' in body ? body.type : undefined
    const scheduler = new JobScheduler(
      this.#services,
      slot,
      { configuration, jobClass: options.jobClass, jobType },
      (props) => withValidParameter(this.#jobTypes.runnerOf(body, props), options.parameterSchema),
      options.onError,
    )
    slot.add(jobName, scheduler.loop)
    this.#schedulers.set(jobName, scheduler)
    try {
      await scheduler.membership.start()
    } catch (error) {
      this.#schedulers.delete(jobName)
      await scheduler.membership.stop(0)
      throw error
    }
    // An operator may also end the membership; the process can then schedule the job again.
    void scheduler.membership.ended.then(() => {
      this.#schedulers.delete(jobName)
      this.#jobs.delete(jobName)
    })
    return new Job(scheduler, options.parameterSchema)
  }

  /** Emits the event after `connect()` has resolved: before that no listener can be attached. */
  #tellRaisedTimeout(): void {
    const raised = this.#raisedTimeout
    if (raised === undefined) return
    const { clock, emit } = this.#services
    clock.afterPoll(() => emit('registry:timeout-raised', raised))
  }

  readonly #tell: Emit = (name, ...payload) => {
    const { logger } = this.#services
    const line = logLineOf(name, payload[0])
    if (line !== undefined) logger[line[0]](line[1])
    this.#companions.told(name, payload[0])
    try {
      this.emit(name, ...(payload as never))
    } catch (error) {
      // A failing listener must not break coordination.
      logger.error(`A listener of ${name} failed: ${stackOf(error)}`)
    }
  }
}
