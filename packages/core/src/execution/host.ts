/** What the execution of a job's shards is given by the job that it works for. */
import type { Coordination } from '../job-tree/coordination.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import type { DueContext } from '../fire-times/due.ts'
import type { FireHistory } from '../fire-times/fire-history.ts'
import type { ClaimedRun } from './run.ts'
import type { StartPriority } from './start-priority.ts'

export interface ExecutionSettings {
  readonly shardingTotalCount: number
  readonly failover: boolean
  readonly misfire: boolean
  readonly monitorExecution: boolean
}

/** The code of runs that were claimed in one instant, with all that it is given. */
export interface Code {
  /** Those begin together; all of them, or the ones that still may. */
  begin(runs: readonly ClaimedRun[]): void
}

export interface ExecutionHost extends Coordination {
  settings(): ExecutionSettings
  dueContext(now: number): DueContext
  /** The fire times of the job, those of earlier schedules too. */
  fireHistory(): FireHistory
  nextFireTime(now: number): number | undefined
  newRunId(): string
  /** Whether this instance, as the leader, is giving the shard to somebody else at this moment. */
  givesAway(shard: number): boolean
  /** What the end of a run writes beside its own: in a mixed job, whose turn is next. */
  nextTurn(): readonly TransactionPart[]
  /** Whether it takes no part any more: what was claimed and has not begun is left to others. */
  readonly isStopping: boolean
  /** What was to be ready for that time, which is a moment ahead, is. */
  ready(time: number): void
  /** Of all jobs of the process. */
  readonly startPriority: StartPriority
  /** Makes ready what the code of these runs is given, which were claimed in one instant. */
  codeOf(runs: readonly ClaimedRun[]): Code
}
