import type { Clock } from '../../clock.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../context.ts'
import type { Runner } from '../job-type.ts'
import type { Props } from '../../config/props.ts'
import { batchesOf } from './batches.ts'
import type { Dataflow, ThroughputDataflow } from './dataflow.ts'
import { processBatch } from './process-batch.ts'
import { dataflowSettingsOf } from './settings.ts'

/** How a dataflow runs. Its mode decides the scope, and so holds until the runner is made anew. */
export function dataflow<T>(
  job: Dataflow<T> | ThroughputDataflow<T>,
  props: Props,
  clock: Clock,
): Runner {
  if (dataflowSettingsOf(props).mode === 'THROUGHPUT') {
    return {
      scope: 'instance',
      run: (context, control) => runDataflow(job as ThroughputDataflow<T>, context, control, clock),
    }
  }
  return {
    scope: 'shard',
    run: (context, control) => runDataflow(job as Dataflow<T>, context, control, clock),
  }
}

async function runDataflow<T, Context extends ShardingContext | MultiShardingContext>(
  job: Dataflow<T, Context>,
  context: Context,
  control: RunControl,
  clock: Clock,
): Promise<void> {
  context.signal.throwIfAborted()
  for await (const batch of batchesOf(job, context)) {
    if (batch.length > 0) {
      // What was fetched and not processed must not look like a run that has done its work.
      context.signal.throwIfAborted()
      const { concurrency } = dataflowSettingsOf(control.props)
      await processBatch(job, context, control, batch, concurrency)
    }
    // A body that never waits for anything outside would otherwise keep the process from hearing
    // that it must yield, and its session from being kept alive.
    await new Promise<void>((resolve) => clock.afterPoll(resolve))
    if (!goesOn(context, control)) return
  }
}

/** Asked after every batch, of the settings as they are then. */
function goesOn({ signal }: { readonly signal: AbortSignal }, control: RunControl): boolean {
  return !signal.aborted && !control.yielding && dataflowSettingsOf(control.props).streaming
}
