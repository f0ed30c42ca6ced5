/** The store of a history: recorders write to it, queries read from it. */
import type { Duration } from '@elasticjob/core'

import type {
  Execution,
  ExecutionFilter,
  StatisticsRequest,
  Statistics,
  LogRequest,
  Page,
  PageRequest,
  RunHistory,
  RunLog,
  StatusChange,
  StatusFilter,
  Timeline,
  TimelineRequest,
} from './queries.ts'
import type { Batch, LostRun } from './records.ts'

/** The retention limits of one job. Undefined means no limit. */
export interface RetentionLimits {
  /** Deletes runs that started longer ago than this. */
  readonly age?: Duration
  /** Keeps this many of the newest runs. */
  readonly count?: number
}

/** How much of the history is kept, in general and for single jobs. */
export interface RetentionPolicy extends RetentionLimits {
  /** Limits of single jobs, which override the general ones field by field. */
  readonly jobs?: Readonly<Record<string, RetentionLimits>>
  /** The maximum number of characters of all logs; the oldest chunks are deleted first. */
  readonly logCharacters?: number
}

/** The options of one retention. */
export interface RetentionOptions {
  /** Stops after the current step. */
  readonly signal?: AbortSignal
  /**
   * The number of runs deleted in one transaction: small, because writers wait for it.
   * @default 500
   */
  readonly stepSize?: number
  /**
   * How long other processes do not clean up, extended by every step.
   * @default '1m'
   */
  readonly lease?: Duration
}

/** How many rows a retention has deleted. */
export interface RetentionResult {
  /** False if another process is cleaning up: nothing was done. */
  readonly hasRun: boolean
  readonly executions: number
  readonly statuses: number
  readonly logChunks: number
}

/** What became of a written batch. */
export interface WriteResult {
  /** False if the batch had been written before: nothing was done. */
  readonly isNew: boolean
}

/**
 * Every method may fail with a `HistoryError`; its `isTransient` says whether the same call may succeed
 * later. No method waits longer than the store's timeout.
 */
export interface HistoryStore extends AsyncDisposable {
  /** The database for logs and messages, without a password. */
  readonly description: string

  /**
   * Writes a batch in one transaction. It may be repeated when its outcome is unknown. Existing records are
   * completed, never reverted: a start that arrives after the end changes nothing, and an end that arrives
   * after the run was closed as lost replaces that.
   *
   * A record that no table can store (a too long job name, an invalid shard number) fails the whole batch
   * with `HISTORY_RECORD_INVALID`, which names the record; `problemOf…` in check-record.ts detects it
   * beforehand.
   */
  writeBatch(batch: Batch): Promise<WriteResult>

  /** Closes runs with an unknown end as lost. Returns the number of closed runs. */
  closeAsLost(runs: readonly LostRun[]): Promise<number>

  /**
   * Deletes records beyond the limits, in small steps that leave room for writers. Does nothing while another
   * process is cleaning up.
   */
  retain(policy: RetentionPolicy, options?: RetentionOptions): Promise<RetentionResult>

  executions(filter?: ExecutionFilter, page?: PageRequest): Promise<Page<Execution>>
  statusChanges(filter?: StatusFilter, page?: PageRequest): Promise<Page<StatusChange>>
  /** Undefined if the run does not exist. */
  run(runId: string): Promise<RunHistory | undefined>
  log(runId: string, request?: LogRequest): Promise<RunLog>
  timeline(request: TimelineRequest): Promise<Timeline>
  /** The statistics of one job by minute, hour or day. */
  statistics(request: StatisticsRequest): Promise<Statistics>
  /** The names of all jobs with runs, sorted. */
  jobNames(): Promise<readonly string[]>

  /** Closes every connection; pending statements fail. Idempotent. */
  close(): Promise<void>
}
