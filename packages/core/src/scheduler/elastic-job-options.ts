/** The options of a process when it connects, and their resolved form. */
import { networkInterfaces } from 'node:os'

import { type Clock, systemClock } from '../clock.ts'
import { type DumpOptions, resolveDump, type ResolvedDumpOptions } from '../config/dump-options.ts'
import { type Duration, millisecondsOf } from '../config/duration.ts'
import { refusal } from '../config/refusal.ts'
import type { RegistryOptions, ResolvedRegistryOptions } from '../config/registry-options.ts'
import { resolveRegistry } from '../config/resolve-registry.ts'
import type { ErrorHandler } from '../error-handlers/error-handler.ts'
import { ConfigurationError } from '../errors.ts'
import type { JobListener } from '../job-types/job-listener.ts'
import type { JobType } from '../job-types/job-type.ts'
import { consoleLogger, type Logger, silentLogger } from '../logger.ts'
import { message } from '../message.ts'
import { type Random, systemRandom } from '../random.ts'
import type { Environment } from '../registry/connect.ts'
import { type AddressOptions, chooseAddress } from '../servers/address.ts'
import type { ShardingStrategy } from '../sharding/strategies/strategy.ts'
import type { RunInterceptor } from './run-interceptor.ts'

/** The options of `ElasticJob.connect()`. */
export interface ElasticJobOptions extends RegistryOptions, AddressOptions {
  /**
   * The logger for the scheduler's messages to operators and for `context.logger` of jobs; false disables logging.
   * @default the console, without `debug`
   */
  readonly logger?: Logger | false
  /**
   * Custom sharding strategies, identified by their `type`.
   * @default []
   */
  readonly strategies?: readonly ShardingStrategy[]
  /**
   * Custom job types, identified by their `name`.
   * @default []
   */
  readonly jobTypes?: readonly JobType[]
  /**
   * Custom error handlers, identified by their `type`.
   * @default []
   */
  readonly errorHandlers?: readonly ErrorHandler[]
  /**
   * Listeners that jobs select in `jobListenerTypes`, identified by their `type`.
   * @default []
   */
  readonly listeners?: readonly JobListener[]
  /**
   * Interceptors around the code of every run; the first is the outermost.
   * @default []
   */
  readonly interceptors?: readonly RunInterceptor[]
  /**
   * How long running shards may take to end after their abort when the process or a job stops.
   * @default '30s'
   */
  readonly stopLimit?: Duration
  /**
   * Whether SIGTERM and SIGINT stop the scheduler and drain its runs; a second signal ends the process at once. After
   * the drain the process exits, unless the application has its own listener for the signal.
   * @default true
   */
  readonly drainOnSignals?: boolean
  /**
   * Whether a native instance replaces a Java leader that has left the shards unassigned for a minute and three fire
   * times although no shard is running.
   * @default true
   */
  readonly takeOverStuckJavaLeader?: boolean
  /**
   * The TCP port that serves dumps of job trees.
   * @default no port, except those that jobs open by `monitor.port`, on the loopback
   */
  readonly dump?: DumpOptions
  /**
   * The sources of time, randomness and connections.
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

/** The options of `ElasticJob.stop()`. */
export interface StopOptions {
  /**
   * Whether to wait for running shards; without it the runs are aborted and left to other instances.
   * @default true
   */
  readonly drain?: boolean
}

/** The options with all defaults filled in. */
export interface ResolvedElasticJobOptions extends Required<
  Omit<
    ElasticJobOptions,
    keyof RegistryOptions | keyof AddressOptions | 'logger' | 'dump' | 'stopLimit'
  >
> {
  readonly registry: ResolvedRegistryOptions
  /** The address that identifies this process. */
  readonly ip: string
  readonly logger: Logger
  /** In milliseconds. */
  readonly stopLimit: number
  readonly dump: ResolvedDumpOptions
  readonly clock: Clock
  readonly random: Random
}

/** Fills in the defaults; throws all problems of the given options. */
export function resolveElasticJob(options: ElasticJobOptions): ResolvedElasticJobOptions {
  const {
    ip,
    preferredNetworkInterface,
    preferredNetworkIp,
    logger = consoleLogger,
    strategies = [],
    jobTypes = [],
    errorHandlers = [],
    listeners = [],
    interceptors = [],
    stopLimit = elasticJobDefaults.stopLimit,
    drainOnSignals = elasticJobDefaults.drainOnSignals,
    takeOverStuckJavaLeader = elasticJobDefaults.takeOverStuckJavaLeader,
    dump = {},
    environment = {},
    ...registry
  } = options
  const { clock = systemClock, random = systemRandom } = environment
  const address = { ip, preferredNetworkInterface, preferredNetworkIp }
  return {
    registry: resolveRegistry(registry),
    ip: chooseAddress(networkInterfaces(), address),
    logger: logger === false ? silentLogger : logger,
    strategies,
    jobTypes,
    errorHandlers,
    listeners,
    interceptors,
    stopLimit: stopLimitOf(stopLimit),
    drainOnSignals,
    takeOverStuckJavaLeader,
    dump: resolveDump(dump),
    environment,
    clock,
    random,
  }
}

function stopLimitOf(stopLimit: Duration): number {
  const limit = millisecondsOf(stopLimit)
  if (limit >= 0) return limit
  throw new ConfigurationError('the scheduler', [
    refusal('stopLimit', stopLimit, message('kind-duration')),
  ])
}
