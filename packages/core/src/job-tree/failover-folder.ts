import type { Coordination } from './coordination.ts'

/** Whether the replica shows the folder of the shards that wait for failover. */
export function hasFailoverFolder({ replica }: Pick<Coordination, 'replica'>): boolean {
  return replica.folders.has('leader/failover/items')
}

/**
 * Creates the folder of the waiting shards. The transactions that need it do not create it: of many concurrent ones
 * only one could succeed.
 */
export async function ensureFailoverFolder({ session, replica }: Coordination): Promise<void> {
  if (hasFailoverFolder({ replica })) return
  // Creates each folder alone, without its parents. The nodes above belong to the job, and a removed job must not be
  // recreated.
  await session.ensure(replica.paths.failover)
  await session.ensure(replica.paths.failoverShards)
}
