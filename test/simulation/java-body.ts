/** A job as Java has it: its configuration, should Java be the first to come, and its code. */
import type { JavaBody } from './java/execution.ts'
import { cronOf, type JobPlan } from './scenario.ts'
import type { Member, World } from './world.ts'

/** In calm times code takes at most so much of its period. */
const calmShare = 0.3

export function configTextOf(plan: JobPlan): string {
  const { jobName, period, total, failover, misfire, monitorExecution, strategy } = plan
  return [
    `cron: '${cronOf(period)}'`,
    `description: ''`,
    `disabled: false`,
    `failover: ${failover}`,
    `jobName: ${jobName}`,
    `jobParameter: ''`,
    `jobShardingStrategyType: ${strategy}`,
    `maxTimeDiffSeconds: -1`,
    `misfire: ${misfire}`,
    `monitorExecution: ${monitorExecution}`,
    `overwrite: false`,
    `reconcileIntervalMinutes: 10`,
    `shardingItemParameters: ''`,
    `shardingTotalCount: ${total}`,
    `staticSharding: false`,
    '',
  ].join('\n')
}

export function javaBodyOf(world: World, member: Member, plan: JobPlan): JavaBody {
  const { random } = world
  const { process } = member
  return (shard, cause) =>
    new Promise((resolve) => {
      const [least, most] = plan.work
      const wanted = least + random.below(most - least + 1)
      const { period } = world.configured(plan.jobName)
      const work = world.isCalm ? Math.min(wanted, period * calmShare) : wanted
      const run = {
        process: process.name,
        instance: member.java?.instance ?? '',
        jobName: plan.jobName,
        shard,
        ...cause,
        begin: world.now,
        end: undefined as number | undefined,
      }
      world.javaRuns.push(run)
      process.clock.setTimer(() => {
        run.end ??= world.now
        resolve()
      }, work)
    })
}
