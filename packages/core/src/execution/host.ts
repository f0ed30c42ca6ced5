/** The interface of a job for the execution of its shards. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import type { DueContext } from '../fire-times/due.ts'
import type { FireHistory } from '../fire-times/fire-history.ts'
import type { ClaimedRun } from './run.ts'
import type { StartPriority } from '../timing/start-priority.ts'

export type ExecutionSettings = Pick<
  JobConfiguration,
  'shardingTotalCount' | 'failover' | 'misfire' | 'monitorExecution'
>

/** The code of runs that were claimed together, with its prepared arguments. */
export interface Code {
  /** Starts these runs together: all prepared runs, or those that may still start. */
  begin(runs: readonly ClaimedRun[]): void
}

export interface ExecutionHost extends Coordination {
  settings(): ExecutionSettings
  dueContext(now: number): DueContext
  /** The fire times of the job, including those of earlier schedules. */
  fireHistory(): FireHistory
  nextFireTime(now: number): number | undefined
  newRunId(): string
  /** Whether this instance is the leader and is committing a reshard that moves the shard to another instance. */
  givesAway(shard: number): boolean
  /**
   * The parts that the end of a run writes in addition to the shard's nodes: in mixed mode, the server that has the
   * next turn.
   */
  nextTurn(): readonly TransactionPart[]
  /** Whether the job is stopping. Runs that were claimed and have not started are left to other instances. */
  readonly isStopping: boolean
  /** Reports that everything is prepared for a fire time. `WakeLeadEstimator` learns from it how early to wake. */
  ready(time: number): void
  /** Shared by all jobs of the process. */
  readonly startPriority: StartPriority
  /** Prepares the arguments for the code of these runs, which were claimed together. */
  codeOf(runs: readonly ClaimedRun[]): Code
}
