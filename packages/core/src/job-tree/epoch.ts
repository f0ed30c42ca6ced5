/**
 * The data of `leader/sharding`: what the last resharding came from and what it came to. An instance of
 * ours reads this one node instead of one node for each item.
 */

export interface Epoch {
  /** Stands for the inputs of the last resharding: the instances, the number of items, the strategy. */
  readonly digest: string
  /** The owner of each item; undefined for one that has none. */
  readonly owners: readonly (string | undefined)[]
  /** Items that move to another instance as soon as their present run has ended. */
  readonly moving: ReadonlyMap<number, string>
}

/** Nearly always nothing moves: all epochs of a process share it. */
const noMoves: Epoch['moving'] = new Map()

export const noEpoch: Epoch = Object.freeze({ digest: '', owners: [], moving: noMoves })

interface Encoded {
  readonly digest: string
  readonly instances: readonly string[]
  /** Runs of items with one owner: the index of the instance (-1 for none) and how many in a row. */
  readonly runs: readonly (readonly [number, number])[]
  readonly moving?: Readonly<Record<string, number>>
}

export function encodeEpoch({ digest, owners, moving }: Epoch): string {
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
  const moves = [...moving].map(([item, to]) => [String(item), indexOf(to)] as const)
  const encoded: Encoded = {
    digest,
    instances,
    runs,
    ...(moves.length === 0 ? {} : { moving: Object.fromEntries(moves) }),
  }
  return JSON.stringify(encoded)
}

/** Java makes the node without data; that speaks of no resharding of ours. */
export function decodeEpoch(text: string): Epoch {
  if (text === '') return noEpoch
  const { digest, instances, runs, moving } = JSON.parse(text) as Encoded
  const owners: (string | undefined)[] = []
  for (const [index, length] of runs) {
    for (let i = 0; i < length; i++) owners.push(instances[index])
  }
  if (moving === undefined) return { digest, owners, moving: noMoves }
  const moves = Object.entries(moving).map(
    ([item, index]) => [Number(item), instances[index] as string] as const,
  )
  return { digest, owners, moving: new Map(moves) }
}
