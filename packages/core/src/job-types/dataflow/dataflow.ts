import type { MultiShardingContext, ShardingContext } from '../context.ts'

/** The result of `fetchData`: one batch or a promise of one, or all batches as an async generator. */
export type Fetched<T> =
  | Promise<T[] | null | undefined>
  | AsyncIterable<T[]>
  | T[]
  | null
  | undefined

interface Source<T, Context> {
  /**
   * Returns the next batch. An empty batch, null or undefined ends the run. An async generator is called once per run:
   * the run ends with the generator, and its empty batches are skipped.
   */
  fetchData(context: Context): Fetched<T>
}

/** A dataflow that receives its data batch by batch. */
export interface BatchDataflow<T, Context = ShardingContext> extends Source<T, Context> {
  /** May return how many of the elements succeeded; without a return value all succeeded. */
  processData(context: Context, data: T[]): Promise<number | void> | number | void
  processItem?: never
}

/** A dataflow that receives its data element by element. */
export interface IndividualDataflow<T, Context = ShardingContext> extends Source<T, Context> {
  /**
   * May return false for a failed element. An element also fails if the call throws: the rest of the batch is still
   * processed, then the run fails with the first error.
   */
  processItem(context: Context, element: T): Promise<boolean | void> | boolean | void
  processData?: never
}

/** A job that fetches and processes data, once or until there is none left. */
export type Dataflow<T, Context = ShardingContext> =
  | BatchDataflow<T, Context>
  | IndividualDataflow<T, Context>

/** A dataflow for `dataflow.mode=THROUGHPUT`: one fetch for all shards that start together. */
export type ThroughputDataflow<T, Parameter = unknown> = Dataflow<
  T,
  MultiShardingContext<Parameter>
>
