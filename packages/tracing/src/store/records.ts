/**
 * The records of a history. Times are milliseconds since the epoch; the dialect converts them. Texts may be
 * arbitrary: the store truncates and cleans them for its tables.
 */

import type { JavaExecutionSource } from './java-source.ts'

/**
 * One row of Java's JOB_EXECUTION_LOG: one run of one shard. It is written when the run starts and again,
 * with the same id, when it has ended; a run that ended before the first write is written once, complete.
 */
export interface ExecutionRecord {
  /** The run id, which links the row to its details and its log. At most 40 characters. */
  readonly id: string
  /** At most 100 characters. */
  readonly jobName: string
  /** `job@-@shards@-@READY@-@instance`, as Java writes it. */
  readonly taskId: string
  readonly hostname: string
  readonly ip: string
  readonly shardingItem: number
  readonly source: JavaExecutionSource
  readonly startTime: number
  /** Undefined while the run is in progress. */
  readonly completeTime: number | undefined
  /** False while the run is in progress, as Java writes it. */
  readonly isSuccess: boolean
  /** The error with its stack. Java's column holds 4,000 characters; a longer text is truncated. */
  readonly failureCause: string | undefined
}

/**
 * The state of a task, with Java's names. Our workers write the states that Java Lite writes, and the last
 * one for the run of a dead instance.
 */
export type TaskState =
  | 'TASK_STAGING'
  | 'TASK_RUNNING'
  | 'TASK_FINISHED'
  | 'TASK_ERROR'
  | 'TASK_LOST'

/**
 * One row of Java's JOB_STATUS_TRACE_LOG: a task, which is one fire of several shards, has reached a state.
 */
export interface StatusRecord {
  /** Unique for each row, at most 40 characters. */
  readonly id: string
  readonly jobName: string
  /** The task that this one repeats; always empty in rows of Java Lite. */
  readonly originalTaskId: string
  readonly taskId: string
  /** The address of the worker: Java calls it the slave. */
  readonly slaveId: string
  readonly executionType: 'READY' | 'FAILOVER'
  /** The shards of the task, stored as Java prints a list: `[0, 1]`. */
  readonly shardingItems: readonly number[]
  readonly state: TaskState
  readonly message: string
  readonly creationTime: number
}

/** How a run has ended. */
export type Outcome =
  | 'success'
  /** Its code threw. */
  | 'failure'
  /** It exceeded the job's timeout. */
  | 'timeout'
  /** Its process aborted it, and another run repeats it. */
  | 'aborted'
  /** An operator stopped it. */
  | 'stopped'
  /** It was claimed, and its code never started. */
  | 'not-started'
  /** Its instance is gone, and its progress is unknown. */
  | 'lost'

/** Why a run was started, as in core; Java has no value for a manual run. */
export type Source = 'cron' | 'misfire' | 'trigger' | 'failover'

/**
 * Details that Java's table has no column for, in our own table. Written like the execution: when the run
 * starts, and again when it has ended.
 */
export interface RunRecord {
  /** The id of the execution. */
  readonly runId: string
  readonly jobName: string
  readonly shardingItem: number
  /** The instance that runs it, `address@-@process`. */
  readonly instance: string
  readonly source: Source
  /** The fire time; for a manual run, when it was requested. */
  readonly fireTime: number
  /**
   * 1 for the first; each run that takes over from a dead instance has the next number, and a run id of its
   * own.
   */
  readonly attempt: number
  /** How often the run's code was retried inside the run after failures. */
  readonly retries: number
  /** The number of the manual run; undefined for a scheduled run. */
  readonly manualRun: number | undefined
  readonly fencingToken: bigint | undefined
  readonly startTime: number
  /** How late the run started; undefined where that has no meaning. */
  readonly lateness: number | undefined
  /** All three are undefined while the run is in progress. */
  readonly completeTime: number | undefined
  readonly duration: number | undefined
  readonly outcome: Outcome | undefined
}

/** The source of a log chunk: a level of the job's logger, or the output of a script. */
export type LogStream = 'debug' | 'info' | 'warn' | 'error' | 'stdout' | 'stderr'

/** A part of a run's log. */
export interface LogChunk {
  readonly runId: string
  /** Increases within the run, from 0; with `runId` it identifies the chunk. */
  readonly sequence: number
  readonly time: number
  readonly stream: LogStream
  /** One line or several. */
  readonly text: string
}

/**
 * A run of a dead instance, as known to the instance that takes it over. The dead instance may not have
 * written the start: then this is all that is known of the run, and it is recorded as lost.
 */
export interface LostRun {
  readonly runId: string
  readonly jobName: string
  readonly shardingItem: number
  /** The dead instance. */
  readonly instance: string
  readonly source: Source
  readonly fireTime: number
  readonly attempt: number
  readonly manualRun: number | undefined
  /** When it was claimed: used as its start if no better time is known. */
  readonly startTime: number
  /** When the crash was detected: used as the run's end. */
  readonly time: number
}

/**
 * The records of one transaction. A batch whose answer was lost is written again unchanged: the writer's name
 * and the number tell the store whether it already has it.
 */
export interface Batch {
  /** The writer's unique name, such as a UUID, new for each recorder. */
  readonly writer: string
  /** Increases with each batch of the writer, from 1; gaps are allowed. */
  readonly sequence: number
  readonly executions: readonly ExecutionRecord[]
  readonly statuses: readonly StatusRecord[]
  readonly runs: readonly RunRecord[]
  readonly logs: readonly LogChunk[]
  /** Runs to close as lost, unless their end is known by now. */
  readonly lost: readonly LostRun[]
}
