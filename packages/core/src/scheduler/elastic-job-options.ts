/** What a process says about itself when it connects, and the same with nothing left out. */
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

/** The options of `ElasticJob.stop()`. */
export interface StopOptions {
  /**
   * Whether to wait for what runs; without it the runs are aborted and left to others.
   * @default true
   */
  readonly drain?: boolean
}

/** The same with nothing left out. */
export interface ResolvedElasticJobOptions extends Required<
  Omit<
    ElasticJobOptions,
    keyof RegistryOptions | keyof AddressOptions | 'logger' | 'dump' | 'stopLimit'
  >
> {
  readonly registry: ResolvedRegistryOptions
  /** The address by which this process is known. */
  readonly ip: string
  readonly logger: Logger
  /** In milliseconds. */
  readonly stopLimit: number
  readonly dump: ResolvedDumpOptions
  readonly clock: Clock
  readonly random: Random
}

/** Fills in what was left out; throws all that is wrong with the rest. */
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
