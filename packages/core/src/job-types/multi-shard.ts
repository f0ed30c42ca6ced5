import type { MultiShardingContext } from './context.ts'
import type { InstanceRunner } from './job-type.ts'

/** A job that takes all items that begin together in one call, as all jobs did in 1.x. */
export type MultiShardJob = (context: MultiShardingContext) => Promise<void> | void

/**
 * Calls the job once with all local items instead of once for each. The items then begin and end
 * together: one that fails fails them all.
 */
export function allItems(job: MultiShardJob): InstanceRunner {
  return {
    scope: 'instance',
    async run(context) {
      await job(context)
    },
  }
}
