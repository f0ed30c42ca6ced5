import type { Clock } from '../../clock.ts'
import type { MultiShardingContext, RunControl, ShardingContext } from '../context.ts'
import type { Runner } from '../job-type.ts'
import type { Props } from '../../config/props.ts'
import { batchesOf } from './batches.ts'
import type { Dataflow, ThroughputDataflow } from './dataflow.ts'
import { processBatch } from './process-batch.ts'
import { dataflowSettingsOf } from './settings.ts'

/** Creates the runner of a dataflow. Its mode determines the scope, so a change of the mode requires a new runner. */
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
      // A run that fetched data without processing it must not count as success.
      context.signal.throwIfAborted()
      const { concurrency } = dataflowSettingsOf(control.props)
      await processBatch(job, context, control, batch, concurrency)
    }
    // Without this wait, a body that never awaits I/O would keep the process from learning that the run must yield, and
    // from keeping its session alive.
    await new Promise<void>((resolve) => clock.afterPoll(resolve))
    if (!goesOn(context, control)) return
  }
}

/** Checked after every batch, with the current settings. */
function goesOn({ signal }: { readonly signal: AbortSignal }, control: RunControl): boolean {
  return !signal.aborted && !control.yielding && dataflowSettingsOf(control.props).streaming
}
