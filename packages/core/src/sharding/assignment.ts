/** Computes the owner of each shard from the strategy's result and, with static sharding, the present owners. */
import { serverOf } from '../job-tree/instance-id.ts'
import { isDead, type JobView } from '../job-tree/job-view.ts'
import { ownerOf } from './needs.ts'
import type { ShardingStrategy } from './strategies/strategy.ts'

export interface Assignment {
  /** The owner of each shard from now on. */
  readonly owners: readonly string[]
  /** Shards that run now, with the instance that owns each of them after its run. */
  readonly moving: ReadonlyMap<number, string>
}

export interface AssignmentInputs {
  readonly available: readonly string[]
  readonly total: number
  readonly strategy: ShardingStrategy
  readonly staticSharding: boolean
  /** No input of the strategy has changed since its last call. */
  readonly isSettled: boolean
  readonly now: number
}

export function assign(view: JobView, inputs: AssignmentInputs): Assignment {
  const target = targetOwners(view, inputs)
  const owners = [...target]
  const moving = new Map<number, string>()
  for (const [shard, to] of target.entries()) {
    const owner = ownerOf(view, shard)
    const runs = view.shards.get(shard)?.running === true
    // One slow shard never holds back the others: it keeps its owner until its run ends, the others move now.
    if (owner === undefined || owner === to || !runs || isDead(view, owner)) continue
    owners[shard] = owner
    moving.set(shard, to)
  }
  return { owners, moving }
}

function targetOwners(view: JobView, inputs: AssignmentInputs): string[] {
  const { available, total, strategy, now } = inputs
  const previous = new Map<number, string>()
  for (let shard = 0; shard < total; shard++) {
    const owner = ownerOf(view, shard)
    if (owner !== undefined) previous.set(shard, owner)
  }
  if (inputs.isSettled) {
    // The result of a time-based strategy changes with every call, and would move shards without need.
    const present = new Set(available)
    const target = Array.from(
      { length: total },
      (_, shard) => view.assignment?.value.moving.get(shard) ?? previous.get(shard),
    )
    if (target.every((owner) => owner !== undefined && present.has(owner))) {
      return target as string[]
    }
  }
  const resharded = strategy.shard(available, view.jobName, total, previous, now)
  const owners: string[] = []
  for (const [instance, shards] of resharded) {
    for (const shard of shards) {
      if (!Number.isInteger(shard) || shard < 0 || shard >= total) {
        throw new Error(`strategy ${strategy.type} assigned shard ${shard} of ${total} shards`)
      }
      if (owners[shard] !== undefined) {
        throw new Error(`strategy ${strategy.type} gave shard ${shard} to two instances`)
      }
      owners[shard] = instance
    }
  }
  requireComplete(owners, inputs)
  return inputs.staticSharding ? keepOwners(owners, previous, available) : owners
}

/** Living owners keep their shards. The shards of a dead owner go to another instance on its host, if there is one. */
function keepOwners(
  resharded: readonly string[],
  previous: ReadonlyMap<number, string>,
  available: readonly string[],
): string[] {
  const present = new Set(available)
  return resharded.map((instance, shard) => {
    const owner = previous.get(shard)
    if (owner === undefined) return instance
    if (present.has(owner)) return owner
    const neighbour = available.find((other) => serverOf(other) === serverOf(owner))
    return neighbour ?? instance
  })
}

/** A custom strategy may omit a shard, or assign it to an instance that is not available. */
function requireComplete(owners: readonly string[], inputs: AssignmentInputs): void {
  const { available, total, strategy } = inputs
  const present = new Set(available)
  for (let shard = 0; shard < total; shard++) {
    const owner = owners[shard]
    if (owner === undefined)
      throw new Error(`strategy ${strategy.type} gave shard ${shard} to nobody`)
    if (!present.has(owner)) {
      throw new Error(
        `strategy ${strategy.type} gave shard ${shard} to ${owner}, who is not available`,
      )
    }
  }
}
