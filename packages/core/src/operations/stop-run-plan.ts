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
    throw new ElasticJobError(
      'JOB_SHARD_IDLE',
      message`shard ${shard} of job ${jobName} does not run at the moment; there is nothing to stop`,
    )
  }
  if (isJavaInstance(runner) || shardState === undefined) {
    throw new ElasticJobError(
      'JOB_JAVA_INSTANCE',
      message`shard ${shard} of job ${jobName} runs on ${runner}, a Java instance, which cannot be asked to end a run; shut its instance down, or wait`,
    )
  }
  const { run } = shardState.value
  const effect = effectOn(
    { jobName, instance: runner, shard },
    message`the run of shard ${shard} of job ${jobName} on ${runner} is asked to end`,
  )
  const { stops = {} } = view.jobState?.value ?? {}
  if (stops[shard] === run) return planOf(effect, [])
  return planOf(effect, [
    // It has not ended meanwhile: a wish that nobody can fulfil would stay.
    part.check(operator.paths.shardState(shard), shardState.version),
    ...changeJobState(view, operator, { stops: { ...stops, [shard]: run } }),
  ])
}
