import type { Scope } from '@elasticjob/core/operations'

import { CommandError } from './errors.ts'

/** The job of a shard. A shard cannot be selected by server, because its owner may change. */
export function ofShard({ job, server }: Scope): string {
  if (job === undefined) throw new CommandError('CLI_USAGE', '--shard needs a job name')
  if (server !== undefined) {
    throw new CommandError('CLI_USAGE', '--shard and --server cannot be combined')
  }
  return job
}
