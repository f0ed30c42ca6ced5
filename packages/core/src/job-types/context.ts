import type { RunSource } from '../events.ts'
import type { Logger } from '../logger.ts'

/** The properties that all shards of one run share. */
interface RunContext<Parameter> {
  readonly jobName: string
  /** Java's form: `{jobName}@-@{shards}@-@READY@-@{ip}@-@{the rest of the instance id}`. */
  readonly taskId: string
  readonly shardingTotalCount: number
  readonly jobParameter: string
  /**
   * The job parameter as a value: the result of the job's schema, or else the JSON in `jobParameter`. A `jobParameter`
   * that is not JSON is the text itself, and an empty one is undefined.
   */
  readonly parameter: Parameter
  /** Whether the registry records the run while it is in progress: the job's `monitorExecution`. */
  readonly monitorExecution: boolean
  /** The reason for the run. */
  readonly source: RunSource
  /** The fire time of the run; for a manual run, the time of the request. */
  readonly fireTime: Date
  /** How many elements a dataflow should fetch at a time. */
  readonly fetchDataCount: number
  /** Aborts when the run must end: the lease expired, the job is being stopped, or an operator stopped the run. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** The context of one shard's run, passed to the body of the job. */
export interface ShardingContext<Parameter = unknown> extends RunContext<Parameter> {
  /** Unique for every run of every shard. */
  readonly runId: string
  readonly shardingItem: number
  readonly shardingParameter: string | undefined
  /** 1 for the first attempt; each takeover of a crashed run by another instance adds 1. */
  readonly attempt: number
  /**
   * The last saved offset, of an earlier run or of this one: the property also reflects the offsets that this run
   * saves. Undefined if none was ever saved.
   */
  readonly offset: string | undefined
  /**
   * Saves the offset where the next run of the shard starts, on any instance. Calls are executed in order. Without a
   * connection it waits for one. It rejects with `JOB_OFFSET_NOT_SAVED` if the run has to end first, and with
   * `JOB_RUN_SUPERSEDED` if another run has claimed the shard.
   */
  readonly saveOffset: (offset: string) => Promise<void>
  /**
   * Increases with every run of the shard: a store that refuses smaller tokens refuses a superseded run. Undefined with
   * `monitorExecution` off.
   */
  readonly fencingToken: bigint | undefined
}

/** All shards that start together on this instance, for a body that takes them in one call. */
export interface MultiShardingContext<Parameter = unknown> extends RunContext<Parameter> {
  readonly shardingItems: readonly ShardingContext<Parameter>[]
}

/** Controls a run in progress, beyond its abort. */
export interface RunControl {
  /** True when a streaming run should end after its batch: the shard moves, the job pauses or stops. */
  readonly yielding: boolean
  /** The current `props` of the job, not those at the start of the run. */
  readonly props: Readonly<Record<string, string>>
  /** Counts elements that a dataflow has processed. */
  count(succeeded: number, failed: number): void
}
