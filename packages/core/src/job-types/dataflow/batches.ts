import { ElasticJobError } from '../../errors.ts'
import type { Dataflow, Fetched } from './dataflow.ts'

/**
 * The batches of one run, each fetched on demand. A consumer that stops early also ends the job's own generator,
 * including its `finally`.
 */
export async function* batchesOf<T, Context>(
  job: Dataflow<T, Context>,
  context: Context,
): AsyncGenerator<T[], void, undefined> {
  for (;;) {
    const fetched = job.fetchData(context)
    if (isAsyncIterable(fetched)) {
      for await (const batch of fetched) yield arrayOf(batch)
      return
    }
    const batch = arrayOf(await fetched)
    if (batch.length === 0) return
    yield batch
  }
}

function isAsyncIterable<T>(fetched: Fetched<T>): fetched is AsyncIterable<T[]> {
  return typeof fetched === 'object' && fetched !== null && Symbol.asyncIterator in fetched
}

/** The type requires an array, but a body from untyped code may return anything. */
function arrayOf<T>(batch: T[] | null | undefined): T[] {
  if (batch === null || batch === undefined) return []
  if (Array.isArray(batch)) return batch
  const message = `fetchData gave ${typeof batch} where an array was expected`
  throw new ElasticJobError('JOB_DATAFLOW_FAILED', message)
}
