import type { Scope } from '@elasticjob/core'

import { CommandError } from './errors.ts'

/** The job whose item is meant. A item is where it is: it cannot be chosen by its server. */
export function ofItem({ job, server }: Scope): string {
  if (job === undefined) throw new CommandError('CLI_USAGE', '--item needs the job that it is of')
  if (server !== undefined) {
    throw new CommandError(
      'CLI_USAGE',
      '--item and --server do not go together: an item is where it is',
    )
  }
  return job
}
