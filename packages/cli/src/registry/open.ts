/** The operator's view of the registry, for the length of one command. */
import { Operations, type RegistryOptions } from '@elasticjob/core'

import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { duration } from '../output/moments.ts'
import { ConnectionGuard } from './guard.ts'
import { reachable } from './reach.ts'
import { type RegistryFlags, resolveRegistry, usualTimeout } from './resolve.ts'

/** Connects, does something, and leaves nothing behind, whatever came of it. */
export async function withOperations<T>(
  { terminal, clock }: Cli,
  flags: RegistryFlags,
  deed: (operations: Operations) => Promise<T>,
): Promise<T> {
  const registry = resolveRegistry(flags, terminal)
  const { connectionTimeoutMilliseconds: limit = usualTimeout * 1000, tls } = registry
  const guard = new ConnectionGuard({ clock, limit, tls })
  const environment = { transport: guard.transport }
  try {
    const operations = await reachable(registry, () =>
      Operations.connect({ ...registry, environment }),
    )
    try {
      return await guard.during(
        () => deed(operations),
        () => lost(registry, limit),
      )
    } finally {
      await operations.close()
    }
  } finally {
    guard.stop()
  }
}

function lost({ servers, serverLists }: RegistryOptions, limit: number): CommandError {
  return new CommandError(
    'CLI_REGISTRY_LOST',
    [
      `the registry was lost: ${String(servers ?? serverLists)} answers no more, and did not come back within ${duration(limit)}.`,
      'What this command was to change may have been changed or not: look when the registry is back.',
    ].join('\n'),
  )
}
