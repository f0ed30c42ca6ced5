/** The services that all jobs of a process share. */
import type { EventEmitter } from 'node:events'

import type { Clock } from '../clock.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { monitoringProblemsOf } from '../config/monitoring.ts'
import { runLimitsProblemsOf } from '../config/run-limits.ts'
import { ErrorHandlers } from '../error-handlers/error-handlers.ts'
import type { Problem } from '../errors.ts'
import type { ElasticJobEvents, Emit, RunReference } from '../events.ts'
import { StatePaths } from '../job-tree/paths.ts'
import { JobListeners } from '../job-types/job-listener.ts'
import { type Logger, maskedLogger } from '../logger.ts'
import type { Random } from '../random.ts'
import { RegistryTime } from '../registry/registry-time.ts'
import { StrategyRegistry } from '../sharding/strategies/strategy-registry.ts'
import { Timing } from '../timing/timing.ts'
import { DirtyQueue } from './dirty-queue.ts'
import type { ResolvedElasticJobOptions } from './elastic-job-options.ts'
import type { RunInterceptor } from './run-interceptor.ts'
import { runLogger } from './run-logger.ts'

export interface ProcessServices {
  readonly ip: string
  readonly namespace: string
  readonly state: StatePaths
  readonly clock: Clock
  readonly random: Random
  /** The registry's time. */
  readonly time: RegistryTime
  readonly timing: Timing
  readonly dirtyQueue: DirtyQueue
  readonly strategies: StrategyRegistry
  readonly errorHandlers: ErrorHandlers
  readonly listeners: JobListeners
  readonly logger: Logger
  /** The logger for code that runs these shards in one call. */
  loggerOf(runs: readonly RunReference[]): Logger
  readonly emit: Emit
  /** Interceptors around the code of every run. */
  readonly interceptors: readonly RunInterceptor[]
  /** How long running shards may take to end when an operator shuts an instance down, in milliseconds. */
  readonly stopLimit: number
  /** Whether a native instance replaces a Java leader that is stuck. */
  readonly takesOver: boolean
  /** How often the setup of a job is retried after a lost connection. */
  readonly maxRetries: number
  newRunId(): string
}

/** `events`: the emitter for users' listeners. It also receives the failures of jobs with the error handler THROW. */
export function createServices(
  options: ResolvedElasticJobOptions,
  events: EventEmitter<ElasticJobEvents & { error: [Error] }>,
  emit: Emit,
): ProcessServices {
  const { registry, ip, clock, random, logger: own } = options
  const logger = maskedLogger(own)
  const time = new RegistryTime(clock)
  const failed = (error: unknown): void => emit('error:unhandled', { jobName: undefined, error })
  return {
    ip,
    namespace: registry.namespace,
    state: new StatePaths(registry.namespace),
    clock,
    random,
    time,
    timing: new Timing(clock, () => time.now(), failed),
    dirtyQueue: new DirtyQueue(clock, failed),
    strategies: new StrategyRegistry(options.strategies),
    errorHandlers: new ErrorHandlers(
      { clock, logger, raise: (error) => events.emit('error', error), report: failed },
      options.errorHandlers,
    ),
    listeners: new JobListeners(options.listeners),
    logger,
    // Without a listener for `run:logged`, all runs share the plain logger.
    loggerOf: (runs) =>
      events.listenerCount('run:logged') === 0 ? own : runLogger(own, emit, runs),
    emit,
    interceptors: options.interceptors,
    stopLimit: options.stopLimit,
    takesOver: options.takeOverStuckJavaLeader,
    maxRetries: registry.maxRetries,
    newRunId: () => Buffer.from(random.bytes(12)).toString('base64url'),
  }
}

/**
 * The problems of the extensions that a configuration names, and of the run properties. Throws for a strategy or a
 * listener that this process does not have.
 */
export function extensionProblemsOf(
  { strategies, errorHandlers, listeners }: ProcessServices,
  configuration: JobConfiguration,
): Problem[] {
  const { props, jobErrorHandlerType } = configuration
  strategies.get(configuration.jobShardingStrategyType)
  listeners.get(configuration.jobListenerTypes)
  return [
    ...errorHandlers.problemsOf(jobErrorHandlerType, props),
    ...runLimitsProblemsOf(props),
    ...monitoringProblemsOf(props),
  ]
}
