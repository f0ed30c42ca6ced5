import type { ErrorHandlers } from '../error-handlers/error-handlers.ts'
import type { Emit, RunReference } from '../events.ts'
import type { JobListeners } from '../job-types/job-listener.ts'
import type { Logger } from '../logger.ts'
import type { Random } from '../random.ts'
import type { StrategyRegistry } from '../sharding/strategies/strategy-registry.ts'
import type { Timing } from '../timing/timing.ts'
import type { DirtyQueue } from './dirty-queue.ts'
import type { RunInterceptor } from './run-interceptor.ts'

/** What all jobs of a process share. */
export interface ProcessServices {
  readonly ip: string
  readonly random: Random
  readonly timing: Timing
  readonly dirtyQueue: DirtyQueue
  readonly strategies: StrategyRegistry
  readonly errorHandlers: ErrorHandlers
  readonly listeners: JobListeners
  readonly logger: Logger
  /** What the code of these runs, which it runs as one, writes to. */
  loggerOf(runs: readonly RunReference[]): Logger
  readonly emit: Emit
  /** What is around the code of every run. */
  readonly interceptors: readonly RunInterceptor[]
  /** How long running shards get to end when an operator shuts an instance down, in milliseconds. */
  readonly stopLimit: number
  /** Whether a Java leader that is stuck is replaced by an instance of ours. */
  readonly takesOver: boolean
  /** How often setting a job up is tried again after a lost connection. */
  readonly maxRetries: number
  newRunId(): string
}
