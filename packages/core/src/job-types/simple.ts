import type { ShardingContext } from './context.ts'
import type { ShardRunner } from './job-type.ts'

/** A job that is one function, called once for each shard. */
export type SimpleJob<Parameter = unknown> = (
  context: ShardingContext<Parameter>,
) => Promise<void> | void

export function simple(job: SimpleJob): ShardRunner {
  return {
    scope: 'shard',
    async run(context) {
      await job(context)
    },
  }
}
