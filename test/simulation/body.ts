/** The users' code: it takes its time, fails, heeds its abort or does not, and writes down what it saw. */
import { isElasticJobError, type ShardingContext } from '@elasticjob/core'

import type { BodyRun } from './history.ts'
import type { Process } from './process.ts'
import type { JobPlan } from './scenario.ts'
import type { Member, World } from './world.ts'

/** In calm times code takes at most so much of its period. */
const calmShare = 0.3
/** How long code that heeds its abort takes to do so, at most. */
const obedience = 400

export function bodyOf(
  world: World,
  { process }: Member,
  plan: JobPlan,
): (context: ShardingContext) => Promise<void> {
  const { random } = world
  return (context) =>
    new Promise((resolve, reject) => {
      const run: BodyRun = {
        process: process.name,
        instance: instanceOf(context.taskId),
        jobName: context.jobName,
        shard: context.shardingItem,
        runId: context.runId,
        source: context.source,
        fireTime: context.fireTime.getTime(),
        attempt: context.attempt,
        token: context.fencingToken,
        begin: world.now,
        end: undefined,
        result: undefined,
        abortedAt: undefined,
        timeout: plan.timeout,
        isTimedOut: false,
        offset: context.offset,
        saved: [],
      }
      world.runs.push(run)
      const [least, most] = plan.work
      const { period } = world.configured(plan.jobName)
      const wanted = least + random.below(most - least + 1)
      const work = world.isCalm ? Math.min(wanted, period * calmShare) : wanted
      const fails = random.happens(plan.failing)
      const isDeaf = !world.isCalm && random.happens(plan.deaf)
      const resolvesOnAbort = random.happens(0.2)
      if (random.happens(plan.saving)) saveOffsets(world, process, context, run, work)
      const finish = (result: BodyRun['result']): void => {
        if (run.end !== undefined) return
        run.end = world.now
        run.result = result
        if (result === 'success') resolve()
        else reject(new Error(result))
      }
      const timer = process.clock.setTimer(() => {
        const isAborted = context.signal.aborted
        finish(fails ? (isAborted && !run.isTimedOut ? 'aborted' : 'failure') : 'success')
      }, work)
      context.signal.addEventListener('abort', () => {
        run.abortedAt = world.now
        // One that took too long has failed, and nobody takes it over.
        run.isTimedOut = isElasticJobError(context.signal.reason, 'JOB_RUN_TIMEOUT')
        if (isDeaf) return
        timer.cancel()
        process.clock.setTimer(
          () => finish(resolvesOnAbort ? 'success' : run.isTimedOut ? 'failure' : 'aborted'),
          random.below(obedience),
        )
      })
    })
}

/** Counts on from the offset that it was given, somewhere in its work, once or twice. */
function saveOffsets(
  { random }: World,
  { clock }: Process,
  context: ShardingContext,
  run: BodyRun,
  work: number,
): void {
  const first = Number(context.offset ?? 0) + 1
  const save = async (value: number): Promise<void> => {
    if (run.end !== undefined) return
    const offset = String(value)
    await context.saveOffset(offset)
    run.saved.push(offset)
    if (random.happens(0.5)) await save(value + 1)
  }
  // Refused to who was overtaken, and impossible without a connection.
  clock.setTimer(() => void save(first).catch(() => {}), random.below(work + 1))
}

/** `{jobName}@-@{shards}@-@READY@-@{ip}@-@{the rest of the instance id}` */
export function instanceOf(taskId: string): string {
  return taskId.split('@-@').slice(3).join('@-@')
}
