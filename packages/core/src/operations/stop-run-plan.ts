/** The end of one run, as an operator wishes it. */
import { part } from '@elasticjob/zookeeper'

import { ElasticJobError } from '../errors.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { say } from '../sentence.ts'
import { changeWord, type Draft, emptyDraft, type Operator, requireStaying } from './draft.ts'
import { effectOn } from './result.ts'
import { type RunsOfJob, runnerOf } from './runner.ts'

/** The wish is for this run: should it be over by the time it is heard, the next one goes on. */
export function planStopRun(job: RunsOfJob, operator: Operator, item: number): Draft {
  const { view } = job
  requireStaying(view)
  const { jobName } = view
  const runner = runnerOf(job, item)
  const word = job.words.get(item)
  if (runner === undefined) {
    throw new ElasticJobError(
      'JOB_ITEM_IDLE',
      say`item ${item} of job ${jobName} does not run at the moment; there is nothing to stop`,
    )
  }
  if (isJavaInstance(runner) || word === undefined) {
    throw new ElasticJobError(
      'JOB_JAVA_INSTANCE',
      say`item ${item} of job ${jobName} runs on ${runner}, a Java instance, which cannot be asked to end a run; shut its instance down, or wait`,
    )
  }
  const draft = emptyDraft()
  const { run } = word.value
  const effect = effectOn(
    { jobName, instance: runner, item },
    say`the run of item ${item} of job ${jobName} on ${runner} is asked to end`,
  )
  const { stops = {} } = view.word?.value ?? {}
  if (stops[item] === run) {
    draft.unchanged.push(effect)
    return draft
  }
  draft.operations.push(
    // It has not ended meanwhile: a wish that nobody can fulfil would stay.
    part.check(operator.paths.itemWord(item), word.version),
    ...changeWord(view, operator, { stops: { ...stops, [item]: run } }),
  )
  draft.done.push(effect)
  return draft
}
