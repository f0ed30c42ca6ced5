/** The store of a history: what recorders write into and everybody else reads from. */
import type {
  Execution,
  ExecutionFilter,
  FigureRequest,
  Figures,
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

/** What may stay of one job. What is undefined has no bound. */
export interface RetentionLimits {
  /** Runs that began longer ago than this go, in milliseconds. */
  readonly age?: number
  /** The newest so many runs stay. */
  readonly count?: number
}

export interface RetentionPolicy extends RetentionLimits {
  /** Other limits for single jobs; they replace those for all, one by one. */
  readonly jobs?: Readonly<Record<string, RetentionLimits>>
  /** The logs of all runs together may have so many characters; the oldest pieces go first. */
  readonly logCharacters?: number
}

export interface RetentionOptions {
  /** Ends it after the step that is under way. */
  readonly signal?: AbortSignal
  /**
   * How many runs are deleted in one transaction: few, because others wait for it.
   * @default 500
   */
  readonly stepSize?: number
  /**
   * For how long nobody else cleans up, in milliseconds, counted anew with every step.
   * @default 60,000
   */
  readonly lease?: number
}

export interface RetentionResult {
  /** False where another process is at it: nothing was done here. */
  readonly hasRun: boolean
  readonly executions: number
  readonly statuses: number
  readonly logChunks: number
}

export interface WriteResult {
  /** False where the batch had been written before: nothing was done. */
  readonly isNew: boolean
}

/**
 * Every method may fail with a `HistoryError`; its `isTransient` says whether the same call may succeed
 * later. None waits longer than the store's time-out.
 */
export interface HistoryStore extends AsyncDisposable {
  /** The database in words for logs and messages, without a password. */
  readonly description: string

  /**
   * Writes a batch in one transaction: all of it, or nothing. It may be written again when nobody knows
   * whether it arrived. What was known before is completed, never taken back: a start that comes after
   * the end changes nothing, and an end that comes after the run was closed as lost replaces that.
   *
   * A record that no table can take (a job name that is too long, an item that is no number) fails the
   * whole batch with `HISTORY_RECORD_INVALID`, which names the record; `problemOf…` in check-record.ts says so beforehand.
   */
  writeBatch(batch: Batch): Promise<WriteResult>

  /** Closes runs as lost whose end is not known. Returns how many there were. */
  closeAsLost(runs: readonly LostRun[]): Promise<number>

  /**
   * Deletes what is beyond the limits, in small steps with room for writers between them. Does nothing
   * while another process is at it.
   */
  retain(policy: RetentionPolicy, options?: RetentionOptions): Promise<RetentionResult>

  executions(filter?: ExecutionFilter, page?: PageRequest): Promise<Page<Execution>>
  statusChanges(filter?: StatusFilter, page?: PageRequest): Promise<Page<StatusChange>>
  /** Undefined where there is no such run. */
  run(runId: string): Promise<RunHistory | undefined>
  log(runId: string, request?: LogRequest): Promise<RunLog>
  timeline(request: TimelineRequest): Promise<Timeline>
  /** The figures of one job by minute, hour or day. */
  figures(request: FigureRequest): Promise<Figures>
  /** The names of all jobs that have runs, in order. */
  jobNames(): Promise<readonly string[]>

  /** Ends every connection; what is under way fails. Idempotent. */
  close(): Promise<void>
}
