/** Where everything is put together. */
import { EventEmitter } from 'node:events'
import { networkInterfaces } from 'node:os'

import { systemClock } from '../clock.ts'
import { type DumpOptions, resolveDump } from '../config/dump-options.ts'
import { type Duration, millisecondsOf } from '../config/duration.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { monitoringProblemsOf } from '../config/monitoring.ts'
import { refusal } from '../config/refusal.ts'
import type { RegistryOptions, ResolvedRegistryOptions } from '../config/registry-options.ts'
import { resolveJob } from '../config/resolve-job.ts'
import { resolveRegistry } from '../config/resolve-registry.ts'
import { runLimitsProblemsOf } from '../config/run-limits.ts'
import type { ErrorHandler } from '../error-handlers/error-handler.ts'
import { ErrorHandlers } from '../error-handlers/error-handlers.ts'
import { ConfigurationError, ElasticJobError, type Problem } from '../errors.ts'
import type { ElasticJobEvents, Emit } from '../events.ts'
import { StartPriority } from '../execution/start-priority.ts'
import { newInstanceId } from '../job-tree/instance-id.ts'
import { StatePaths } from '../job-tree/paths.ts'
import type { ThroughputDataflow } from '../job-types/dataflow/dataflow.ts'
import { type JobListener, JobListeners } from '../job-types/job-listener.ts'
import type { JobType } from '../job-types/job-type.ts'
import { type AnyBody, type JobBody, JobTypes } from '../job-types/job-types.ts'
import {
  parameterOf,
  storedParameter,
  validParameter,
  withValidParameter,
} from '../job-types/parameter.ts'
import { consoleLogger, type Logger, maskedLogger, silentLogger } from '../logger.ts'
import { message } from '../message.ts'
import { systemRandom } from '../random.ts'
import { connect, type Environment, type RaisedTimeout } from '../registry/connect.ts'
import { preload, readPreload } from '../legacy/preload.ts'
import type { RegistryClient } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { RegistrySession } from '../registry/registry-session.ts'
import { RegistryTime } from '../registry/registry-time.ts'
import { type AddressOptions, chooseAddress } from '../servers/address.ts'
import { StrategyRegistry } from '../sharding/strategies/strategy-registry.ts'
import type { ShardingStrategy } from '../sharding/strategies/strategy.ts'
import { stackOf } from '../thrown.ts'
import { ProcessCompanions } from './process-companions.ts'
import { DirtyQueue } from './dirty-queue.ts'
import { logLineOf } from './event-log.ts'
import { JobScheduler } from './job-scheduler.ts'
import { Job } from './job.ts'
import type { ProcessServices } from './process-services.ts'
import type { RunInterceptor } from './run-interceptor.ts'
import { runLogger } from './run-logger.ts'
import { problemsOfLocal, type ScheduleOptions } from './schedule-options.ts'
import { ephemeralBytesOf, SessionPool } from './session-pool.ts'
import { SessionSlot } from './session-slot.ts'
import { drainOnSignals } from './signals.ts'
import { Semaphore } from './semaphore.ts'
import type { JobRuntimeStatus, ProcessStatus } from './process-status.ts'
import { TimerQueue } from './timer-queue.ts'
import { within } from './within.ts'

/** The options of `ElasticJob.connect()`. */
export interface ElasticJobOptions extends RegistryOptions, AddressOptions {
  /**
   * Where the scheduler writes what an operator wants to know, and jobs what they have to say; false
   * for nowhere.
   * @default the console, without `debug`
   */
  readonly logger?: Logger | false
  /**
   * Strategies of one's own, by their `type`.
   * @default []
   */
  readonly strategies?: readonly ShardingStrategy[]
  /**
   * Types of jobs of one's own, by their `name`.
   * @default []
   */
  readonly jobTypes?: readonly JobType[]
  /**
   * Error handlers of one's own, by their `type`.
   * @default []
   */
  readonly errorHandlers?: readonly ErrorHandler[]
  /**
   * Listeners that jobs can ask for in `jobListenerTypes`, by their `type`.
   * @default []
   */
  readonly listeners?: readonly JobListener[]
  /**
   * What is called around the code of every run, the first of them outermost.
   * @default []
   */
  readonly interceptors?: readonly RunInterceptor[]
  /**
   * How long running shards get to end after their abort when the process or a job stops.
   * @default '30s'
   */
  readonly stopLimit?: Duration
  /**
   * Whether SIGTERM and SIGINT stop the scheduler and let what runs end; a second one ends the process
   * at once. The process ends by itself then, unless somebody else listens to the signal as well.
   * @default true
   */
  readonly drainOnSignals?: boolean
  /**
   * Whether an instance of ours takes the lead of a job from a Java leader that has left the shards
   * undealt for a minute and three fires although nothing runs.
   * @default true
   */
  readonly takeOverStuckJavaLeader?: boolean
  /**
   * Where the tree of a job can be asked for over TCP.
   * @default no port, but those that jobs ask for by `monitor.port`, on the loopback
   */
  readonly dump?: DumpOptions
  /**
   * Where time, chance and connections come from.
   * @default the machine's
   */
  readonly environment?: Environment
}

/** The defaults of `ElasticJobOptions`. */
export const elasticJobDefaults: Readonly<{
  stopLimit: number
  drainOnSignals: boolean
  takeOverStuckJavaLeader: boolean
}> = Object.freeze({ stopLimit: 30_000, drainOnSignals: true, takeOverStuckJavaLeader: true })

function stopLimitOf(stopLimit: Duration): number {
  const limit = millisecondsOf(stopLimit)
  if (limit >= 0) return limit
  throw new ConfigurationError('the scheduler', [
    refusal('stopLimit', stopLimit, message('kind-duration')),
  ])
}

export interface StopOptions {
  /**
   * Whether to wait for what runs; without it the runs are aborted and left to others.
   * @default true
   */
  readonly drain?: boolean
}

/** The bytes of ephemeral paths that one session may come to; see `SessionPool`. */
const sessionBytes = 512 * 1024
/** What a session keeps of its own: its nodes below `alive` and `lease`. */
const ownBytes = 1024

/**
 * How long error handlers get to tell what they have not told yet when everything else has stopped, and
 * listeners of that to write down what they know, in milliseconds. Whoever ends this process may have waited for its runs already.
 */
const tellingLimit = 5000

/**
 * How many jobs are joined at once; of thousands that are scheduled together the others wait. All of
 * them at once would keep the event loop from everything else, the pings of the sessions included.
 */
const joinedAtOnce = 200

/**
 * Jobs over many processes, through one registry.
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
  readonly #registry: ResolvedRegistryOptions
  readonly #environment: Environment
  readonly #state: StatePaths
  readonly #time: RegistryTime
  readonly #jobTypes: JobTypes
  readonly #services: ProcessServices
  readonly #pool: SessionPool
  readonly #companions: ProcessCompanions
  readonly #jobs = new Map<string, Promise<Job>>()
  readonly #schedulers = new Map<string, JobScheduler>()
  readonly #joining = new Semaphore(joinedAtOnce)
  #stopped: Promise<void> | undefined
  #ignoreSignals: () => void = () => {}
  #raisedTimeout: RaisedTimeout | undefined

  private constructor(options: ElasticJobOptions) {
    super()
    const {
      ip,
      preferredNetworkInterface,
      preferredNetworkIp,
      logger = consoleLogger,
      strategies,
      jobTypes,
      errorHandlers,
      listeners,
      interceptors = [],
      stopLimit = elasticJobDefaults.stopLimit,
      drainOnSignals: _,
      takeOverStuckJavaLeader = elasticJobDefaults.takeOverStuckJavaLeader,
      dump = {},
      environment = {},
      ...registry
    } = options
    this.#registry = resolveRegistry(registry)
    this.#environment = environment
    this.#state = new StatePaths(this.#registry.namespace)
    const { clock = systemClock, random = systemRandom } = environment
    this.#time = new RegistryTime(clock)
    this.#jobTypes = new JobTypes(clock, jobTypes)
    const own = logger === false ? silentLogger : logger
    const log = maskedLogger(own)
    const emit = this.#emitter(log)
    const failed = (error: unknown): void => emit('error:unhandled', { jobName: undefined, error })
    const address = { ip, preferredNetworkInterface, preferredNetworkIp }
    const startPriority = new StartPriority(clock, failed)
    this.#services = {
      ip: chooseAddress(networkInterfaces(), address),
      random,
      timers: new TimerQueue(clock, () => this.#time.now(), startPriority, failed),
      startPriority,
      dirtyQueue: new DirtyQueue(clock, failed),
      strategies: new StrategyRegistry(strategies),
      errorHandlers: new ErrorHandlers(
        { clock, logger: log, raise: (error) => this.emit('error', error), report: failed },
        errorHandlers,
      ),
      listeners: new JobListeners(listeners),
      logger: log,
      // Of most schedulers nobody asks for the lines: their runs share the logger as it is.
      loggerOf: (runs) =>
        this.listenerCount('run:logged') === 0 ? own : runLogger(own, emit, runs),
      emit,
      interceptors,
      stopLimit: stopLimitOf(stopLimit),
      takesOver: takeOverStuckJavaLeader,
      maxRetries: this.#registry.maxRetries,
      newRunId: () => Buffer.from(random.bytes(12)).toString('base64url'),
    }
    this.#pool = new SessionPool(sessionBytes - ownBytes, () => this.#openSlot())
    this.#companions = new ProcessCompanions(resolveDump(dump), {
      clock,
      random,
      state: this.#state,
      namespace: this.#registry.namespace,
      emit,
      now: () => this.#time.now(),
      schedulerOf: (jobName) => this.#schedulers.get(jobName),
      slots: () => this.#pool.slots,
    })
  }

  /** Resolves when the registry is reached. */
  static async connect(options: ElasticJobOptions): Promise<ElasticJob> {
    const jobs = new ElasticJob(options)
    await jobs.#start()
    jobs.#tellRaisedTimeout()
    if (options.drainOnSignals ?? elasticJobDefaults.drainOnSignals) {
      jobs.#ignoreSignals = drainOnSignals(jobs)
    }
    return jobs
  }

  /** The address by which this process is known. */
  get ip(): string {
    return this.#services.ip
  }

  get namespace(): string {
    return this.#registry.namespace
  }

  /** How the sessions and the jobs of this process stand now. */
  status(): ProcessStatus {
    const jobs: JobRuntimeStatus[] = []
    for (const { status } of this.#schedulers.values()) {
      if (status !== undefined) jobs.push(status)
    }
    return { sessions: this.#pool.slots.map(({ status }) => status), jobs }
  }

  /** The registry's time. */
  now(): Date {
    return new Date(this.#time.now())
  }

  /** How many sessions the jobs of this process take. */
  get sessionCount(): number {
    return this.#pool.slots.length
  }

  /**
   * Takes part in a job, with a cron expression, or without one in a job that runs when it is
   * triggered. Resolves when this instance is registered. The body is a function, a dataflow, a type
   * (`{ type: 'SCRIPT' }`), or a runner such as `inWorker()`.
   */
  schedule<Parameter = unknown, T = unknown>(
    options: ScheduleOptions<Parameter>,
    body: JobBody<T, Parameter>,
  ): Promise<Job<Parameter>>
  // Apart from the others: in one union with them, a dataflow written in place would have no types.
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
        this.#schedulers.get(jobName)?.isStopping === true
          ? 'is stopping in this process: its code still runs; wait for it to end'
          : 'is scheduled in this process already; stop it first, or choose another name'
      return Promise.reject(new ElasticJobError('JOB_ALREADY_SCHEDULED', `job ${jobName} ${why}`))
    }
    // The context that the body is given has a parameter of this type: the schema, or the caller, vouches for it.
    const job = this.#schedule(options, body as AnyBody<T>)
    this.#jobs.set(jobName, job)
    job.catch(() => this.#jobs.delete(jobName))
    return job
  }

  /** The jobs that this process takes part in. */
  get jobNames(): readonly string[] {
    return [...this.#schedulers.keys()]
  }

  /** What is in effect of a job here; undefined for one that this process takes no part in. */
  configurationOf(jobName: string): JobConfiguration | undefined {
    return this.#schedulers.get(jobName)?.configuration
  }

  /** Takes no further part in anything, lets what runs end, and gives the sessions up. */
  stop({ drain = true }: StopOptions = {}): Promise<void> {
    this.#stopped ??= this.#stop(drain ? this.#services.stopLimit : 0)
    return this.#stopped
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Nothing is done before it is known that all of it can be. */
  async #start(): Promise<void> {
    const { localPropertiesPath: path, namespace } = this.#registry
    const properties = path === undefined ? [] : await readPreload(path, namespace)
    await this.#pool.start()
    try {
      const { session } = this.#pool.slots[0] as SessionSlot
      await preload(session.client, this.#registry, properties)
      await this.#companions.start()
    } catch (error) {
      await this.#pool.close()
      throw error
    }
  }

  async #stop(limit: number): Promise<void> {
    // What is still being set up ends with an error; what it leaves behind is stopped by it.
    await Promise.all([...this.#schedulers.values()].map((one) => one.stop(limit)))
    await Promise.allSettled(this.#jobs.values())
    this.#schedulers.clear()
    this.#jobs.clear()
    this.#services.timers.stop()
    this.#services.startPriority.stop()
    await this.#companions.stop()
    const toldWithin = Math.min(limit, tellingLimit)
    await Promise.all([
      this.#pool.close(),
      this.#services.errorHandlers.stop(toldWithin),
      this.#tellStopped(toldWithin),
    ])
    this.#ignoreSignals()
  }

  /** Whoever listens may have something to write down before the process ends. */
  async #tellStopped(limit: number): Promise<void> {
    const works: Promise<unknown>[] = []
    this.#services.emit('scheduler:stopped', { waitFor: (work) => works.push(work) })
    if (works.length === 0) return
    const { clock = systemClock } = this.#environment
    await within(clock, limit, Promise.allSettled(works))
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
    this.#requireKnown(configuration, body, problemsOfLocal(options))
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
    const bytes = ephemeralBytesOf(this.#registry.namespace, this.#state, configuration)
    const slot = await this.#pool.reserve(jobName, bytes)
    const jobType = 'type' in body ? body.type : undefined
    const scheduler = new JobScheduler(
      this.#services,
      slot,
      { configuration, jobClass: options.jobClass, jobType },
      (props) => withValidParameter(this.#jobTypes.runnerOf(body, props), options.parameterSchema),
      options.onError,
    )
    slot.add(jobName, scheduler)
    this.#schedulers.set(jobName, scheduler)
    try {
      await scheduler.start()
    } catch (error) {
      this.#schedulers.delete(jobName)
      await scheduler.stop(0)
      throw error
    }
    // An operator may end it, too; then it can be scheduled here again.
    void scheduler.ended.then(() => {
      this.#schedulers.delete(jobName)
      this.#jobs.delete(jobName)
    })
    return new Job(scheduler, options.parameterSchema, () =>
      scheduler.stop(this.#services.stopLimit),
    )
  }

  /** All names that the configuration uses, before anything of it is written. */
  #requireKnown<T>(
    configuration: JobConfiguration,
    body: AnyBody<T>,
    local: readonly Problem[],
  ): void {
    const { strategies, errorHandlers, listeners } = this.#services
    const { props, jobErrorHandlerType } = configuration
    strategies.get(configuration.jobShardingStrategyType)
    listeners.get(configuration.jobListenerTypes)
    const problems = [
      ...local,
      ...this.#jobTypes.problemsOf(body, props),
      ...errorHandlers.problemsOf(jobErrorHandlerType, props),
      ...runLimitsProblemsOf(props),
      ...monitoringProblemsOf(props),
    ]
    if (problems.length > 0) {
      throw new ConfigurationError(`the job "${configuration.jobName}"`, problems)
    }
  }

  /** A connection that breaks before everything stands is made again: all of it may be done twice. */
  async #openSlot(): Promise<SessionSlot> {
    const losses = [
      'REGISTRY_CONNECTION_LOSS',
      'REGISTRY_NOT_CONNECTED',
      'REGISTRY_SESSION_EXPIRED',
    ] as const
    for (let retry = 0; ; retry++) {
      const client = await connect(this.#registry, this.#environment, (raised) => {
        this.#raisedTimeout = raised
      })
      try {
        return await this.#slotOf(client)
      } catch (error) {
        await client.close()
        const isLoss = isRegistryError(error, ...losses)
        if (!isLoss || retry >= this.#registry.maxRetries) throw client.refusalOf(error)
      }
    }
  }

  /** When `connect()` has resolved: before that nobody can listen. */
  #tellRaisedTimeout(): void {
    const raised = this.#raisedTimeout
    if (raised === undefined) return
    const { clock = systemClock } = this.#environment
    clock.afterPoll(() => this.#services.emit('registry:timeout-raised', raised))
  }

  async #slotOf(client: RegistryClient): Promise<SessionSlot> {
    const { namespace } = this.#registry
    const { random = systemRandom } = this.#environment
    const session = await RegistrySession.open(
      client,
      this.#state,
      () => newInstanceId(this.#services.ip, process.pid, random),
      this.#time,
    )
    const slot = new SessionSlot(session, namespace, this.#state, this.#services.emit)
    await slot.start()
    return slot
  }

  #emitter(logger: Logger): Emit {
    return (name, ...payload) => {
      const line = logLineOf(name, payload[0])
      if (line !== undefined) logger[line[0]](line[1])
      this.#companions.told(name, payload[0])
      try {
        this.emit(name, ...(payload as never))
      } catch (error) {
        // A listener that fails must not take coordination with it.
        logger.error(`A listener of ${name} failed: ${stackOf(error)}`)
      }
    }
  }
}
