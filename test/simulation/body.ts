/** The users' code: it takes its time, fails, heeds its abort or does not, and writes down what it saw. */
import type { ShardingContext } from '@elasticjob/core'

import type { BodyRun } from './history.ts'
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
        item: context.shardingItem,
        runId: context.runId,
        source: context.source,
        fireTime: context.fireTime.getTime(),
        attempt: context.attempt,
        token: context.fencingToken,
        begin: world.now,
        end: undefined,
        result: undefined,
        abortedAt: undefined,
      }
      world.runs.push(run)
      const [least, most] = plan.work
      const { period } = world.configured(plan.jobName)
      const wanted = least + random.below(most - least + 1)
      const work = world.isCalm ? Math.min(wanted, period * calmShare) : wanted
      const fails = random.happens(plan.failing)
      const isDeaf = !world.isCalm && random.happens(plan.deaf)
      const resolvesOnAbort = random.happens(0.2)
      const finish = (result: BodyRun['result']): void => {
        if (run.end !== undefined) return
        run.end = world.now
        run.result = result
        if (result === 'success') resolve()
        else reject(new Error(result))
      }
      const timer = process.clock.setTimer(() => {
        const isAborted = context.signal.aborted
        finish(fails ? (isAborted ? 'aborted' : 'failure') : 'success')
      }, work)
      context.signal.addEventListener('abort', () => {
        run.abortedAt = world.now
        if (isDeaf) return
        timer.cancel()
        process.clock.setTimer(
          () => finish(resolvesOnAbort ? 'success' : 'aborted'),
          random.below(obedience),
        )
      })
    })
}

/** `{jobName}@-@{items}@-@READY@-@{ip}@-@{the rest of the instance id}` */
function instanceOf(taskId: string): string {
  return taskId.split('@-@').slice(3).join('@-@')
}
