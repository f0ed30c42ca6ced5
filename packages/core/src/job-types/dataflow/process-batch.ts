import { ElasticJobError } from '../../errors.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../context.ts'
import { chunksOf } from './chunks.ts'
import type { BatchDataflow, Dataflow, IndividualDataflow } from './dataflow.ts'

type AnyContext = ShardingContext | MultiShardingContext

/**
 * Processes the parts of a batch concurrently. Waits for all parts even if one fails: the run must not end while a part
 * is still in progress.
 */
export async function processBatch<T, Context extends AnyContext>(
  job: Dataflow<T, Context>,
  context: Context,
  control: RunControl,
  batch: T[],
  concurrency: number,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    chunksOf(batch, concurrency).map((chunk) =>
      job.processItem === undefined
        ? processTogether(job, context, control, chunk)
        : processOneByOne(job, context, control, chunk),
    ),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function processTogether<T, Context extends AnyContext>(
  job: BatchDataflow<T, Context>,
  context: Context,
  control: RunControl,
  data: T[],
): Promise<void> {
  // The body may empty its array.
  const size = data.length
  let succeeded = 0
  try {
    succeeded = successesOf(await job.processData(context, data), size)
  } finally {
    control.count(succeeded, size - succeeded)
  }
}

function successesOf(answer: unknown, size: number): number {
  if (typeof answer !== 'number') return size
  if (Number.isInteger(answer) && answer >= 0 && answer <= size) return answer
  const message = `processData answered ${answer} successes of ${size} elements`
  throw new ElasticJobError('JOB_DATAFLOW_FAILED', message)
}

async function processOneByOne<T, Context extends AnyContext>(
  job: IndividualDataflow<T, Context>,
  context: Context,
  control: RunControl,
  data: readonly T[],
): Promise<void> {
  const errors: unknown[] = []
  for (const element of data) {
    // Elements that were not started count neither as successes nor as failures: the next run processes them.
    if (context.signal.aborted) {
      errors.push(context.signal.reason)
      break
    }
    try {
      const succeeded = (await job.processItem(context, element)) !== false
      control.count(succeeded ? 1 : 0, succeeded ? 0 : 1)
    } catch (error) {
      control.count(0, 1)
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
