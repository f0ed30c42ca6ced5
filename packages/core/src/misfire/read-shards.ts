import type { Coordination } from '../job-tree/coordination.ts'
import { decodeShardState } from '../job-tree/shard-state.ts'
import { shardNumber } from '../job-tree/location.ts'
import type { JobReplica } from '../job-tree/replica.ts'
import { childrenIn, requireKnown } from '../registry/read-nodes.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { read, type ReadResult, toText } from '../registry/transaction.ts'
import type { ReadShard } from './close-plan.ts'

/** Each shard takes `nodesPerShard` reads: one request stays well below the limit of one response. */
const shardsPerRead = 100
const nodesPerShard = 3

/** All existing shards, and shards beyond a lowered shard count that have a state or fire times to account for. */
export async function shardsToAccount(
  session: RegistrySession,
  { paths, shards: shardingItems, jobState }: JobReplica,
  total: number,
): Promise<number[]> {
  const [states] = await session.read([read.children(paths.shardStates)])
  const most = Math.max(total, ...(jobState?.value.timeline ?? []).map((span) => span.total))
  const shards = new Set([
    ...shardingItems.keys(),
    ...Array.from({ length: most }, (_, shard) => shard),
  ])
  for (const name of childrenIn(states)) {
    const shard = shardNumber(name)
    if (shard !== undefined) shards.add(shard)
  }
  return [...shards].toSorted((a, b) => a - b)
}

export interface ReadShards {
  readonly read: readonly ReadShard[]
  /** Shards whose state cannot be read: they are not accounted for. */
  readonly unreadable: readonly number[]
}

/** Reads the nodes that the account of the given shards needs. */
export async function readShards(
  { session, replica: { paths, disabledPeriods }, health }: Coordination,
  shards: readonly number[],
): Promise<ReadShards> {
  const known: ReadShard[] = []
  const unreadable: number[] = []
  for (let start = 0; start < shards.length; start += shardsPerRead) {
    const some = shards.slice(start, start + shardsPerRead)
    const results = await session.read(
      some.flatMap((shard) => [
        read.get(paths.shardState(shard)),
        read.get(paths.shard(shard)),
        read.get(paths.mark(shard, 'disabled')),
      ]),
    )
    for (const [index, shard] of some.entries()) {
      const [shardState, shardingItem, disabled] = results.slice(index * nodesPerShard)
      const path = paths.shardState(shard)
      const state = whole(shardState, (text, { version }) => ({
        ...decodeShardState(text, path),
        version,
      }))
      health.read(path, state?.problem)
      if (state?.problem !== undefined) {
        unreadable.push(shard)
        continue
      }
      const created = whole(shardingItem, (_, { ctime }) => Number(ctime))
      known.push({
        shard,
        shardState: state,
        created,
        disabled: whole(disabled, (_, { ctime }) => Number(ctime)),
        wasDisabled: disabledPeriods.of(shard, session.now(), state?.value.since, created),
      })
    }
  }
  return { read: known, unreadable }
}

type Found = Extract<ReadResult, { readonly data: unknown }>

/** Undefined for an absent node. Throws on any other error: unknown is not absent. */
function whole<T>(
  result: ReadResult | undefined,
  of: (text: string, stat: Found['stat']) => T,
): T | undefined {
  if (result === undefined) return undefined
  requireKnown(result)
  return 'data' in result ? of(toText(result.data), result.stat) : undefined
}
