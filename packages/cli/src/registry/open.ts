/** A connection to the registry for one command. */
import type { RegistryOptions } from '@elasticjob/core'
import { Operations } from '@elasticjob/core/operations'

import type { Cli } from '../cli.ts'
import { CommandError } from '../errors.ts'
import { duration } from '../output/moments.ts'
import { ConnectionGuard } from './guard.ts'
import { reachable } from './reach.ts'
import { type RegistryFlags, resolveRegistry, usualTimeout } from './resolve.ts'

/** Connects, runs the action, and closes the connection in any case. */
export async function withOperations<T>(
  { terminal, clock }: Cli,
  flags: RegistryFlags,
  action: (operations: Operations) => Promise<T>,
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
        () => action(operations),
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
      `the connection to the registry was lost: ${String(servers ?? serverLists)} did not answer for ${duration(limit)}.`,
      'The change of this command may or may not have been made: check when the registry is reachable again.',
    ].join('\n'),
  )
}
