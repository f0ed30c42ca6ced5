import { read, toText } from '../registry/transaction.ts'
import type { Coordination } from './coordination.ts'
import { decodeShardState, type ShardState } from './shard-state.ts'
import type { Versioned } from './job-view.ts'

const shardsPerRead = 250

/** A state, and the zxid of the transaction that wrote it: the zxid of a claim is its fencing token. */
export interface ReadState extends Versioned<ShardState> {
  readonly mzxid: bigint
}

export interface ReadStates {
  /** With their versions; a shard without a state is left out. */
  readonly states: ReadonlyMap<number, ReadState>
  /** Shards whose state cannot be read. Their runs are unknown: do not treat them as shards without a state. */
  readonly unreadable: ReadonlySet<number>
}

export async function readStates(
  { session, replica: { paths }, health }: Pick<Coordination, 'session' | 'replica' | 'health'>,
  shards: readonly number[],
): Promise<ReadStates> {
  const states = new Map<number, ReadState>()
  const unreadable = new Set<number>()
  for (let start = 0; start < shards.length; start += shardsPerRead) {
    const some = shards.slice(start, start + shardsPerRead)
    const results = await session.read(some.map((shard) => read.get(paths.shardState(shard))))
    for (const [index, shard] of some.entries()) {
      const result = results[index]
      if (result === undefined) continue
      // A failed read does not mean that the node is absent.
      if ('error' in result && result.error.code !== 'REGISTRY_NO_NODE') throw result.error
      if (!('data' in result)) continue
      const { version, mzxid } = result.stat
      const path = paths.shardState(shard)
      const { value, problem } = decodeShardState(toText(result.data), path)
      health.read(path, problem)
      if (value === undefined) unreadable.add(shard)
      else states.set(shard, { value, version, mzxid })
    }
  }
  return { states, unreadable }
}
