/** Who is to own what: the strategy's answer, and what static sharding keeps of the present. */
import { serverOf } from '../job-tree/instance-id.ts'
import { isDead, type JobView } from '../job-tree/job-view.ts'
import { ownerOf } from './needs.ts'
import type { ShardingStrategy } from './strategies/strategy.ts'

export interface Assignment {
  /** The owner of each item from now on. */
  readonly owners: readonly string[]
  /** Items that run now, with the instance they go to when their run has ended. */
  readonly moving: ReadonlyMap<number, string>
}

export interface AssignmentInputs {
  readonly available: readonly string[]
  readonly total: number
  readonly strategy: ShardingStrategy
  readonly staticSharding: boolean
  /** Nothing that the strategy looks at has changed since it was last asked. */
  readonly isSettled: boolean
  readonly now: number
}

export function assign(view: JobView, inputs: AssignmentInputs): Assignment {
  const target = targetOwners(view, inputs)
  const owners = [...target]
  const moving = new Map<number, string>()
  for (const [item, to] of target.entries()) {
    const owner = ownerOf(view, item)
    const runs = view.items.get(item)?.running === true
    // One slow item never holds the fleet: it keeps its owner until it ends, the others move now.
    if (owner === undefined || owner === to || !runs || isDead(view, owner)) continue
    owners[item] = owner
    moving.set(item, to)
  }
  return { owners, moving }
}

function targetOwners(view: JobView, inputs: AssignmentInputs): string[] {
  const { available, total, strategy, now } = inputs
  const previous = new Map<number, string>()
  for (let item = 0; item < total; item++) {
    const owner = ownerOf(view, item)
    if (owner !== undefined) previous.set(item, owner)
  }
  if (inputs.isSettled) {
    // Asked again, a strategy that goes by the clock would move what need not move.
    const present = new Set(available)
    const target = Array.from(
      { length: total },
      (_, item) => view.epoch?.value.moving.get(item) ?? previous.get(item),
    )
    if (target.every((owner) => owner !== undefined && present.has(owner))) {
      return target as string[]
    }
  }
  const dealt = strategy.shard(available, view.jobName, total, previous, now)
  const owners: string[] = []
  for (const [instance, items] of dealt) {
    for (const item of items) {
      if (owners[item] !== undefined) {
        throw new Error(`strategy ${strategy.type} gave item ${item} to two instances`)
      }
      owners[item] = instance
    }
  }
  requireComplete(owners, inputs)
  return inputs.staticSharding ? keepOwners(owners, previous, available) : owners
}

/** Living owners keep their items; those of a dead one go to its own host if somebody is there. */
function keepOwners(
  dealt: readonly string[],
  previous: ReadonlyMap<number, string>,
  available: readonly string[],
): string[] {
  const present = new Set(available)
  return dealt.map((instance, item) => {
    const owner = previous.get(item)
    if (owner === undefined) return instance
    if (present.has(owner)) return owner
    const neighbour = available.find((other) => serverOf(other) === serverOf(owner))
    return neighbour ?? instance
  })
}

/** A strategy of the user's may forget an item, or give one to somebody who is not there. */
function requireComplete(owners: readonly string[], inputs: AssignmentInputs): void {
  const { available, total, strategy } = inputs
  const present = new Set(available)
  for (let item = 0; item < total; item++) {
    const owner = owners[item]
    if (owner === undefined)
      throw new Error(`strategy ${strategy.type} gave item ${item} to nobody`)
    if (!present.has(owner)) {
      throw new Error(
        `strategy ${strategy.type} gave item ${item} to ${owner}, who is not available`,
      )
    }
  }
  if (owners.length > total) {
    throw new Error(
      `strategy ${strategy.type} dealt out item ${owners.length - 1} of ${total} items`,
    )
  }
}
