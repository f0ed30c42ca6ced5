import { ElasticJobError } from '../../errors.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../context.ts'
import { chunksOf } from './chunks.ts'
import type { BatchDataflow, Dataflow, IndividualDataflow } from './dataflow.ts'

type AnyContext = ShardingContext | MultiShardingContext

/**
 * Processes a batch in parts, side by side. All parts are brought to their end, also when one of
 * them fails: the run must not be over while something of it still works.
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
  // The body may empty the array that it is given.
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
    // Elements that were not begun are neither successes nor failures: whoever runs next has them.
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
