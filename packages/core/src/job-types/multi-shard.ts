import type { MultiShardingContext } from './context.ts'
import type { InstanceRunner } from './job-type.ts'

/** A job that takes all shards that start together in one call, as all jobs did in 1.x. */
export type MultiShardJob<Parameter = unknown> = (
  context: MultiShardingContext<Parameter>,
) => Promise<void> | void

/**
 * Calls the job once with all local shards instead of once for each. The shards then start and end together: a failure
 * of one fails all of them.
 */
export function allShards(job: MultiShardJob): InstanceRunner {
  return {
    scope: 'instance',
    async run(context) {
      await job(context)
    },
  }
}
