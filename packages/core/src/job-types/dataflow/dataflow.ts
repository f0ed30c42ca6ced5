import type { MultiShardingContext, ShardingContext } from '../context.ts'

/** What `fetchData` may give: one batch, now or later, or all of them as an async generator. */
export type Fetched<T> =
  | Promise<T[] | null | undefined>
  | AsyncIterable<T[]>
  | T[]
  | null
  | undefined

interface Source<T, Context> {
  /**
   * Gives the next batch. An empty one, null or undefined ends the run. An async generator is called
   * once a run; it ends the run by ending, its empty batches are passed over.
   */
  fetchData(context: Context): Fetched<T>
}

/** A dataflow that is handed its data batch by batch. */
export interface BatchDataflow<T, Context = ShardingContext> extends Source<T, Context> {
  /** May answer how many of the elements succeeded; without an answer all of them did. */
  processData(context: Context, data: T[]): Promise<number | void> | number | void
  processItem?: never
}

/** A dataflow that is handed its data element by element. */
export interface IndividualDataflow<T, Context = ShardingContext> extends Source<T, Context> {
  /**
   * May answer false for an element that failed. One that throws has failed too: the rest of the
   * batch is processed all the same, then the run fails with the first error.
   */
  processItem(context: Context, element: T): Promise<boolean | void> | boolean | void
  processData?: never
}

/** A job that fetches data and processes them, once or until there are none left. */
export type Dataflow<T, Context = ShardingContext> =
  | BatchDataflow<T, Context>
  | IndividualDataflow<T, Context>

/** A dataflow for `dataflow.mode=THROUGHPUT`: one fetch for all shards that begin together. */
export type ThroughputDataflow<T, Parameter = unknown> = Dataflow<
  T,
  MultiShardingContext<Parameter>
>
