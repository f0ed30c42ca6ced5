/** The end of one run, as an operator wishes it. */
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

/** The wish is for this run: should it be over by the time it is heard, the next one goes on. */
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
    // It has not ended meanwhile: a wish that nobody can fulfil would stay.
    part.check(operator.paths.shardState(shard), shardState.version),
    ...changeJobState(view, operator, { stops: { ...stops, [shard]: run } }),
  ])
}
