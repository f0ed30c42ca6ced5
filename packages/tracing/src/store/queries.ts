/** What can be asked of a history, and what the answers look like. */
import type { ExecutionRecord, LogChunk, Outcome, Source, StatusRecord } from './records.ts'

/** Half open: from `from` up to, but not at, `to`. In milliseconds; an absent end is open. */
export interface TimeRange {
  readonly from?: number
  readonly to?: number
}

export interface PageRequest {
  /**
   * How many rows at most, up to 1,000.
   * @default 50
   */
  readonly limit?: number
  /** Where the page before has ended, as it said; the first page without. */
  readonly cursor?: string
}

/**
 * Rows from the newest to the oldest. A page ends early where a filter that no index serves has looked
 * at many rows: it may hold few rows or none and still have a next one. Without `next` that was all.
 */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | undefined
}

/** What a run of ours or of Java's is known to be; a run that has not ended is `running`. */
export type ExecutionOutcome = Outcome | 'running'

export interface ExecutionFilter extends TimeRange {
  readonly jobName?: string
  /** The address or the host name of the machine that ran it. */
  readonly address?: string
  readonly shardingItem?: number
  /** One of these. */
  readonly outcomes?: readonly ExecutionOutcome[]
  /** One of these. A run of Java's is `cron`, `misfire` or `failover`. */
  readonly sources?: readonly Source[]
}

/**
 * One run: Java's row, and beside it what we know more of it. The latter is undefined for a run that
 * Java has written.
 */
export interface Execution extends Omit<ExecutionRecord, 'source'> {
  readonly source: Source
  readonly outcome: ExecutionOutcome
  /** In milliseconds; undefined while it runs. Whole seconds for runs of Java's in MySQL. */
  readonly duration: number | undefined
  readonly details: ExecutionDetails | undefined
}

export interface ExecutionDetails {
  readonly instance: string
  readonly fireTime: number
  readonly attempt: number
  readonly retries: number
  readonly round: number | undefined
  readonly fencingToken: bigint | undefined
  readonly lateness: number | undefined
}

export interface StatusFilter extends TimeRange {
  readonly jobName?: string
  /** The address of the worker. */
  readonly address?: string
  /** Tasks that have this item among theirs. */
  readonly shardingItem?: number
  /** One of these, such as `TASK_ERROR`. */
  readonly states?: readonly string[]
  readonly taskId?: string
}

/** As it is stored: Java knows more states than it writes, and a table may hold others' rows. */
export interface StatusChange extends Omit<StatusRecord, 'state' | 'executionType'> {
  readonly state: string
  readonly executionType: string
}

/** One run with the other attempts at the same item and fire time, in their order, itself among them. */
export interface RunHistory {
  readonly execution: Execution
  readonly attempts: readonly Execution[]
}

export interface LogRequest {
  /** Pieces after this sequence number only: what came since the last look. */
  readonly after?: number
  /**
   * How many pieces at most, up to 10,000.
   * @default 1000
   */
  readonly limit?: number
}

/** A run's log, or its next part. A caller that follows asks again after the last one's `sequence`. */
export interface RunLog {
  readonly chunks: readonly LogChunk[]
  /** Whether there are more by now. */
  readonly hasMore: boolean
}

export interface TimelineRequest extends Required<TimeRange> {
  readonly jobName?: string
  readonly address?: string
  /**
   * How many runs at most, up to 10,000: the newest of the window.
   * @default 1000
   */
  readonly limit?: number
  /**
   * How long before the window an ended run may have begun to be found. Runs that still go on are found
   * whenever they began.
   * @default 3,600,000
   */
  readonly lookBack?: number
}

/** Who ran what in a window, by the time of their start. */
export interface Timeline {
  readonly runs: readonly Execution[]
  /** Whether there were more than the limit; the oldest are left off. */
  readonly isTruncated: boolean
}

/** How long one bucket of figures is; a day is one in UTC. */
export type FigureStep = 'minute' | 'hour' | 'day'

export interface FigureRequest extends Required<TimeRange> {
  readonly jobName: string
  readonly step: FigureStep
}

/** In milliseconds, each within 1 % of the exact one; undefined where there is nothing to measure. */
export interface Percentiles {
  readonly count: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  readonly p99: number | undefined
  readonly max: number | undefined
}

/** What a job did in one bucket: all its runs that began in it. Empty buckets are left out. */
export interface Figure {
  /** When the bucket begins. */
  readonly time: number
  readonly runs: number
  /** Ended by `failure`, `timeout` or `lost`. */
  readonly failures: number
  /** How many of each there were; those that did not occur are absent. */
  readonly outcomes: Readonly<Partial<Record<ExecutionOutcome, number>>>
  readonly duration: Percentiles
  /** Of runs of ours only: Java does not record when a run was due. */
  readonly lateness: Percentiles
}

export interface Figures {
  readonly buckets: readonly Figure[]
  /** All of them as one, its `time` the beginning of the window. */
  readonly total: Figure
}
