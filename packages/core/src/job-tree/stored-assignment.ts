/**
 * The data of `leader/sharding`: the inputs and the result of the last resharding. A native instance reads this one
 * node instead of one node for each shard.
 */
import { mostShards } from '../config/job-limits.ts'
import { decodeJson } from '../decode/json.ts'
import type { Decoded } from '../decode/problem.ts'
import { integer, listOf, mapOf, Mismatch, object, type Shape, text } from '../decode/shape.ts'
import { message } from '../message.ts'

export interface StoredAssignment {
  /** Identifies the inputs of the last resharding: the instances, the shard count, the strategy. */
  readonly digest: string
  /** The owner of each shard; undefined for a shard without one. */
  readonly owners: readonly (string | undefined)[]
  /** Shards that move to another instance when their present run ends. */
  readonly moving: ReadonlyMap<number, string>
}

/** Most assignments have no moving shards: all of them share this map. */
const noMoves: StoredAssignment['moving'] = new Map()

export const noAssignment: StoredAssignment = Object.freeze({
  digest: '',
  owners: [],
  moving: noMoves,
})

interface Encoded {
  readonly digest: string
  readonly instances: readonly string[]
  /** Consecutive shards with the same owner: the index of the instance (-1 for none), and the number of shards. */
  readonly runs: readonly (readonly [number, number])[]
  readonly moving?: Readonly<Record<string, number>>
}

export function encodeAssignment({ digest, owners, moving }: StoredAssignment): string {
  const instances: string[] = []
  const indexes = new Map<string, number>()
  const indexOf = (instance: string | undefined): number => {
    if (instance === undefined) return -1
    let index = indexes.get(instance)
    if (index === undefined) {
      index = instances.push(instance) - 1
      indexes.set(instance, index)
    }
    return index
  }
  const runs: [number, number][] = []
  for (const owner of owners) {
    const index = indexOf(owner)
    const last = runs.at(-1)
    if (last?.[0] === index) last[1] += 1
    else runs.push([index, 1])
  }
  const moves = [...moving].map(([shard, to]) => [String(shard), indexOf(to)] as const)
  const encoded: Encoded = {
    digest,
    instances,
    runs,
    ...(moves.length === 0 ? {} : { moving: Object.fromEntries(moves) }),
  }
  return JSON.stringify(encoded)
}

const encoded: Shape<Encoded> = object<Encoded>(
  {
    digest: text,
    instances: listOf(text, mostShards),
    runs: listOf(listOf(integer(-1), 2) as Shape<readonly [number, number]>, mostShards),
    moving: mapOf(integer(0), mostShards),
  },
  ['digest', 'instances', 'runs'],
)

/** Checks every number before it sizes an array: a length of four billion would crash the process. */
const shape: Shape<StoredAssignment> = (data, at) => {
  const { digest, instances, runs, moving } = encoded(data, at)
  const owners: (string | undefined)[] = []
  for (const [index, [owner, length]] of runs.entries()) {
    const isKnown = owner === -1 || (owner !== undefined && owner < instances.length)
    if (!isKnown) throw new Mismatch(`runs[${index}][0]`, owner, message('kind-instance-index'))
    integer(1, mostShards - owners.length)(length, `runs[${index}][1]`)
    for (let i = 0; i < length; i++) owners.push(instances[owner])
  }
  if (moving === undefined) return { digest, owners, moving: noMoves }
  const moves = Object.entries(moving).map(([key, index]) => {
    const to = instances[index]
    const shard = /^\d{1,9}$/.test(key) ? Number(key) : Number.NaN
    integer(0, mostShards - 1)(shard, `moving.${key}`)
    if (to === undefined) {
      throw new Mismatch(`moving.${key}`, index, message('kind-instance-index'))
    }
    return [shard, to] as const
  })
  return { digest, owners, moving: new Map(moves) }
}

/**
 * The assignment in a node's data, or why it cannot be read. Java creates the node without data, which means that no
 * native leader has resharded.
 */
export function decodeAssignment(data: string, path: string): Decoded<StoredAssignment> {
  return data === '' ? { value: noAssignment } : decodeJson(data, path, shape)
}
