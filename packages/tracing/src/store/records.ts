/**
 * What a history is made of. Times are milliseconds since 1970, as everywhere else here; how a database
 * keeps them is its dialect's business. Texts may hold anything and be of any length: the store cuts and
 * cleans them as its tables demand, so nobody else has to.
 */

/** Why a run came about, in Java's words: what the column `execution_source` may hold. */
export type JavaExecutionSource = 'NORMAL_TRIGGER' | 'MISFIRE' | 'FAILOVER'

/**
 * One row of Java's JOB_EXECUTION_LOG: one run of one item. It is given once when the run begins and
 * once more, with the same id, when it has ended; a run that is known to have ended before the first
 * was written may be given once, complete.
 */
export interface ExecutionRecord {
  /** The run id: what ties the row to its details and its log. At most 40 characters. */
  readonly id: string
  /** At most 100 characters. */
  readonly jobName: string
  /** `job@-@items@-@READY@-@instance`, as Java writes it. */
  readonly taskId: string
  readonly hostname: string
  readonly ip: string
  readonly shardingItem: number
  readonly source: JavaExecutionSource
  readonly startTime: number
  /** Undefined while the run goes on. */
  readonly completeTime: number | undefined
  /** False while the run goes on, as Java writes it. */
  readonly isSuccess: boolean
  /** The failure with its stack. Java's column takes 4,000 characters; what is longer is cut. */
  readonly failureCause: string | undefined
}

/**
 * Where a task stands, in Java's words. A worker of ours writes those that Java Lite writes, and the last
 * for what a dead instance has left.
 */
export type TaskState =
  | 'TASK_STAGING'
  | 'TASK_RUNNING'
  | 'TASK_FINISHED'
  | 'TASK_ERROR'
  | 'TASK_LOST'

/** One row of Java's JOB_STATUS_TRACE_LOG: a task, which is one fire of several items, has come to a state. */
export interface StatusRecord {
  /** A new one for each row, at most 40 characters. */
  readonly id: string
  readonly jobName: string
  /** The task that this one makes good; empty in whatever Java Lite writes. */
  readonly originalTaskId: string
  readonly taskId: string
  /** The address of the worker: Java calls it the slave. */
  readonly slaveId: string
  readonly executionType: 'READY' | 'FAILOVER'
  /** The items of the task; stored as Java prints a list, `[0, 1]`. */
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
  /** It ran longer than the job allows. */
  | 'timeout'
  /** Its process ended it, and somebody else makes it good. */
  | 'aborted'
  /** An operator ended it. */
  | 'stopped'
  /** It was claimed, and its code never began. */
  | 'not-started'
  /** Its instance is gone, and nobody knows how far it came. */
  | 'lost'

/** Why a run came about, in core's words; Java has none for a trigger. */
export type Source = 'cron' | 'misfire' | 'trigger' | 'failover'

/**
 * What Java's table has no column for, in a table of ours beside it. Given as the execution is: when the
 * run begins, and again when it has ended.
 */
export interface RunRecord {
  /** The id of the execution. */
  readonly runId: string
  readonly jobName: string
  readonly shardingItem: number
  /** The instance that runs it, `address@-@process`. */
  readonly instance: string
  readonly source: Source
  /** The scheduled time; for a trigger, when it was asked for. */
  readonly fireTime: number
  /** 1 for the first; each that takes over from a dead instance has the next, and a run id of its own. */
  readonly attempt: number
  /** How often the run's code was begun again inside the run, after failures. */
  readonly retries: number
  /** The number of the trigger; undefined for a scheduled time. */
  readonly round: number | undefined
  readonly fencingToken: bigint | undefined
  readonly startTime: number
  /** By how much the start was later than the time it was due; undefined where that says nothing. */
  readonly lateness: number | undefined
  /** All three undefined while the run goes on. */
  readonly completeTime: number | undefined
  readonly duration: number | undefined
  readonly outcome: Outcome | undefined
}

/** Where a piece of a run's log came from: a level of the job's logger, or what a script printed. */
export type LogStream = 'debug' | 'info' | 'warn' | 'error' | 'stdout' | 'stderr'

/** A piece of what a run has written. */
export interface LogChunk {
  readonly runId: string
  /** Counts up within the run, from 0; with `runId` it identifies the piece. */
  readonly sequence: number
  readonly time: number
  readonly stream: LogStream
  /** One line or several. */
  readonly text: string
}

/**
 * A run that a dead instance has left, as whoever takes it over knows it. Its instance may have died
 * before it wrote the beginning down: then this is all that will ever be known of the run, and it is
 * written, as lost.
 */
export interface LostRun {
  readonly runId: string
  readonly jobName: string
  readonly shardingItem: number
  /** The instance that is gone. */
  readonly instance: string
  readonly source: Source
  readonly fireTime: number
  readonly attempt: number
  readonly round: number | undefined
  /** When it was claimed: stands as its start where nobody knows better. */
  readonly startTime: number
  /** When it was found to be gone: stands as the run's end. */
  readonly time: number
}

/**
 * What is written in one transaction. A batch whose answer was lost is written again as it is: the
 * writer's name and its number tell the store whether it has it already.
 */
export interface Batch {
  /** Who writes: a name of its own for each recorder that was ever started, such as a UUID. */
  readonly writer: string
  /** Counts up with each batch of the writer, from 1; gaps are fine. */
  readonly sequence: number
  readonly executions: readonly ExecutionRecord[]
  readonly statuses: readonly StatusRecord[]
  readonly runs: readonly RunRecord[]
  readonly logs: readonly LogChunk[]
  /** Runs to close as lost, unless their end is known by now. */
  readonly lost: readonly LostRun[]
}
