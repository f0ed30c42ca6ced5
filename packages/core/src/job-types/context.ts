import type { RunSource } from '../events.ts'
import type { Logger } from '../logger.ts'

/** What holds for every item of one run. */
interface RunContext {
  readonly jobName: string
  /** Java's form: `{jobName}@-@{items}@-@READY@-@{ip}@-@{the rest of the instance id}`. */
  readonly taskId: string
  readonly shardingTotalCount: number
  readonly jobParameter: string
  /** Why the run came about. */
  readonly source: RunSource
  /** The scheduled time that is being run; for a trigger, the moment of the trigger. */
  readonly fireTime: Date
  /** How many elements a dataflow is asked to fetch at a time. */
  readonly fetchDataCount: number
  /** Aborts when the run must end: the lease is over, the job is being stopped, an operator said so. */
  readonly signal: AbortSignal
  readonly logger: Logger
}

/** What the body of a job is given to run one item. */
export interface ShardingContext extends RunContext {
  /** Unique for every run of every item. */
  readonly runId: string
  readonly shardingItem: number
  readonly shardingParameter: string | undefined
  /** 1, and one more each time another instance takes over what a crashed one left. */
  readonly attempt: number
  /** What `saveOffset` kept last; undefined if nothing was ever kept. */
  readonly offset: string | undefined
  /** Keeps the item's place for the next run, by whoever. Fails if the run is no longer the item's. */
  readonly saveOffset: (offset: string) => Promise<void>
  /**
   * Grows with every run of the item: a store that refuses smaller ones refuses a run that was
   * overtaken. Undefined with `monitorExecution` off.
   */
  readonly fencingToken: bigint | undefined
}

/** All items that begin here together, for a body that takes them in one call. */
export interface MultiShardingContext extends RunContext {
  readonly shardingItems: readonly ShardingContext[]
}

/** How a run in progress is steered, beyond its abort. */
export interface RunControl {
  /** True when a streaming run should end after its batch: the item moves, the job pauses or stops. */
  readonly yielding: boolean
  /** The job's `props` as they are now, not as they were when the run began. */
  readonly props: Readonly<Record<string, string>>
  /** Counts elements that a dataflow has processed. */
  count(succeeded: number, failed: number): void
}
