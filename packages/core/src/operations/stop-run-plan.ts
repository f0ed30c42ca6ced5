/** Plans the request to stop one run. */
import { ElasticJobError } from '../errors.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import {
  changeJobState,
  type ActionPlan,
  type Operator,
  planOf,
  requireNotRemoving,
} from './action-plan.ts'
import { effectOn } from './result.ts'
import { runnerOf, type RunsOfJob } from './runner.ts'

/**
 * Requests the stop of the current run only: if that run ends before its instance sees the request, the next run is not
 * affected.
 */
export function planStopRun(job: RunsOfJob, operator: Operator, shard: number): ActionPlan {
  const { view } = job
  requireNotRemoving(view)
  const { jobName } = view
  const runner = runnerOf(job, shard)
  const shardState = job.shardStates.get(shard)
  if (runner === undefined) {
    throw new ElasticJobError('JOB_SHARD_IDLE', message('shard-idle', { shard, jobName }))
  }
  if (isJavaInstance(runner) || shardState === undefined) {
    throw new ElasticJobError(
      'JOB_JAVA_INSTANCE',
      message('java-stop-unsupported', { shard, jobName, instance: runner }),
    )
  }
  const { run } = shardState.value
  const effect = effectOn(
    { jobName, instance: runner, shard },
    message('run-stop-requested', { shard, jobName, instance: runner }),
  )
  const { stops = {} } = view.jobState?.value ?? {}
  if (stops[shard] === run) return planOf(effect, [])
  return planOf(effect, [
    // Check that the run has not ended in the meantime: otherwise the request would stay forever.
    part.check(operator.paths.shardState(shard), shardState.version),
    ...changeJobState(view, operator, { stops: { ...stops, [shard]: run } }),
  ])
}
