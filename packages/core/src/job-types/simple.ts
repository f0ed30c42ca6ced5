import type { ShardingContext } from './context.ts'
import type { ItemRunner } from './job-type.ts'

/** A job that is one function, called once for each item. */
export type SimpleJob = (context: ShardingContext) => Promise<void> | void

export function simple(job: SimpleJob): ItemRunner {
  return {
    scope: 'item',
    async run(context) {
      await job(context)
    },
  }
}
