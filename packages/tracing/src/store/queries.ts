/** The queries of a history, and their results. */
import type { ExecutionRecord, LogChunk, Outcome, Source, StatusRecord } from './records.ts'

/** Half open: from `from` up to, but excluding, `to`. In milliseconds; a missing end is open. */
export interface TimeRange {
  readonly from?: number
  readonly to?: number
}

/** Which page of the rows a query returns. */
export interface PageRequest {
  /**
   * The maximum number of rows, up to 1,000.
   * @default 50
   */
  readonly limit?: number
  /** The `next` of the previous page; omit it for the first page. */
  readonly cursor?: string
}

/**
 * Rows from the newest to the oldest. A page ends early when a filter without an index has read many rows: it
 * may contain few rows or none and still have a next page. Without `next` it is the last page.
 */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | undefined
}

/** The outcome of a run of ours or of Java; a run in progress is `running`. */
export type ExecutionOutcome = Outcome | 'running'

/** Which executions a query returns. */
export interface ExecutionFilter extends TimeRange {
  readonly jobName?: string
  /** The address or the host name of the machine that ran it. */
  readonly address?: string
  readonly shardingItem?: number
  /** One of these. */
  readonly outcomes?: readonly ExecutionOutcome[]
  /** One of these. A run of Java is `cron`, `misfire` or `failover`. */
  readonly sources?: readonly Source[]
}

/** One run: Java's row with our details. The details are undefined for a run that Java has written. */
export interface Execution extends Omit<ExecutionRecord, 'source'> {
  readonly source: Source
  readonly outcome: ExecutionOutcome
  /** In milliseconds; undefined while it runs. Whole seconds for runs of Java in MySQL. */
  readonly duration: number | undefined
  readonly details: ExecutionDetails | undefined
}

/** What this package records of an execution and Java does not. */
export interface ExecutionDetails {
  readonly instance: string
  readonly fireTime: number
  readonly attempt: number
  readonly retries: number
  readonly manualRun: number | undefined
  readonly fencingToken: bigint | undefined
  readonly lateness: number | undefined
}

/** Which status changes a query returns. */
export interface StatusFilter extends TimeRange {
  readonly jobName?: string
  /** The address of the worker. */
  readonly address?: string
  /** Tasks that include this shard. */
  readonly shardingItem?: number
  /** One of these, such as `TASK_ERROR`. */
  readonly states?: readonly string[]
  readonly taskId?: string
}

/** As stored: Java defines more states than it writes, and a table may contain rows of other programs. */
export interface StatusChange extends Omit<StatusRecord, 'state' | 'executionType'> {
  readonly state: string
  readonly executionType: string
}

/** One run with all attempts at the same shard and fire time, in order. */
export interface RunHistory {
  readonly execution: Execution
  readonly attempts: readonly Execution[]
}

/** Which part of a log a query returns. */
export interface LogRequest {
  /** Only chunks after this sequence number. */
  readonly after?: number
  /**
   * The maximum number of chunks, up to 10,000.
   * @default 1000
   */
  readonly limit?: number
}

/** A run's log, or its next part. To follow it, ask again after the last chunk's `sequence`. */
export interface RunLog {
  readonly chunks: readonly LogChunk[]
  /** Whether there are more chunks now. */
  readonly hasMore: boolean
}

/** The window and the filter of a timeline. */
export interface TimelineRequest extends Required<TimeRange> {
  readonly jobName?: string
  readonly address?: string
  /**
   * The maximum number of runs, up to 10,000: the newest of the window.
   * @default 1000
   */
  readonly limit?: number
  /**
   * How long before the window a completed run may have started to be included, in milliseconds. Runs in
   * progress are always included.
   * @default 3,600,000
   */
  readonly lookBack?: number
}

/** The runs of a window, by start time. */
export interface Timeline {
  readonly runs: readonly Execution[]
  /** Whether there were more than the limit; the oldest are omitted. */
  readonly isTruncated: boolean
}

/** The length of one bucket; days are in UTC. */
export type StatisticsStep = 'minute' | 'hour' | 'day'

/** The window and the filter of statistics. */
export interface StatisticsRequest extends Required<TimeRange> {
  readonly jobName: string
  readonly step: StatisticsStep
}

/** In milliseconds, each within 1 % of the exact value; undefined without values. */
export interface Percentiles {
  readonly count: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  readonly p99: number | undefined
  readonly max: number | undefined
}

/** The statistics of one bucket: all runs that started in it. Empty buckets are omitted. */
export interface StatisticsBucket {
  /** The start of the bucket. */
  readonly time: number
  readonly runs: number
  /** Runs with the outcome `failure`, `timeout` or `lost`. */
  readonly failures: number
  /** The number of runs by outcome; outcomes without runs are absent. */
  readonly outcomes: Readonly<Partial<Record<ExecutionOutcome, number>>>
  readonly duration: Percentiles
  /** Only of our runs: Java does not record when a run was due. */
  readonly lateness: Percentiles
}

/** Counts and durations of a window. */
export interface Statistics {
  readonly buckets: readonly StatisticsBucket[]
  /** All buckets as one; its `time` is the start of the window. */
  readonly total: StatisticsBucket
}
