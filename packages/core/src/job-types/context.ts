import type { RunSource } from '../events.ts'
import type { Logger } from '../logger.ts'

/** What holds for every shard of one run. */
interface RunContext<Parameter> {
  readonly jobName: string
  /** Java's form: `{jobName}@-@{shards}@-@READY@-@{ip}@-@{the rest of the instance id}`. */
  readonly taskId: string
  readonly shardingTotalCount: number
  readonly jobParameter: string
  /**
   * The job parameter as a value: what the schema of the job gives, or else the JSON in `jobParameter`. A
   * `jobParameter` that is not JSON is the text itself, and an empty one undefined.
   */
  readonly parameter: Parameter
  /** Whether the registry knows of the run while it goes on: the job's `monitorExecution`. */
  readonly monitorExecution: boolean
  /** Why the run came about. */
  readonly source: RunSource
  /** The scheduled time that is being run; for a trigger, the moment of the trigger. */
  readonly fireTime: Date
  /** How many elements a dataflow is asked to fetch at a time. */
  readonly fetchDataCount: number
  /** Aborts when the run must end: the lease expired, the job is being stopped, or an operator stopped the run. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** What the body of a job is given to run one shard. */
export interface ShardingContext<Parameter = unknown> extends RunContext<Parameter> {
  /** Unique for every run of every shard. */
  readonly runId: string
  readonly shardingItem: number
  readonly shardingParameter: string | undefined
  /** 1, and one more each time another instance takes over what a crashed one left. */
  readonly attempt: number
  /**
   * The offset saved last, by an earlier run or by this one: read it from the context to see what this run
   * has saved. Undefined if none was ever saved.
   */
  readonly offset: string | undefined
  /**
   * Saves the offset at which the next run of the shard starts, on whichever instance. Calls are carried out
   * in their order. Without a connection it waits for one; it rejects with `JOB_OFFSET_NOT_SAVED` if the run
   * has to end before, and with `JOB_RUN_SUPERSEDED` if another run has the shard.
   */
  readonly saveOffset: (offset: string) => Promise<void>
  /**
   * Grows with every run of the shard: a store that refuses smaller ones refuses a run that was overtaken. Undefined
   * with `monitorExecution` off.
   */
  readonly fencingToken: bigint | undefined
}

/** All shards that begin here together, for a body that takes them in one call. */
export interface MultiShardingContext<Parameter = unknown> extends RunContext<Parameter> {
  readonly shardingItems: readonly ShardingContext<Parameter>[]
}

/** How a run in progress is steered, beyond its abort. */
export interface RunControl {
  /** True when a streaming run should end after its batch: the shard moves, the job pauses or stops. */
  readonly yielding: boolean
  /** The job's `props` as they are now, not as they were when the run began. */
  readonly props: Readonly<Record<string, string>>
  /** Counts elements that a dataflow has processed. */
  count(succeeded: number, failed: number): void
}
