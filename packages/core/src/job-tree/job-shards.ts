import { DisabledPeriods } from './disabled-periods.ts'
import type { OwnerNode, ShardNodes } from './job-view.ts'
import type { ShardMark } from './paths.ts'

type Shard = { -readonly [Key in keyof ShardNodes]: ShardNodes[Key] }

/** The nodes below `sharding` of one job. */
export class JobShards {
  readonly #now: () => number
  readonly #shards = new Map<number, Shard>()
  readonly all: ReadonlyMap<number, ShardNodes> = this.#shards
  readonly disabledPeriods: DisabledPeriods = new DisabledPeriods()
  #marks = 0

  /** `now`: the registry's time. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts the creations and deletions of `running` marks. */
  get marks(): number {
    return this.#marks
  }

  created(number: number): Shard {
    const known = this.#shards.get(number)
    if (known !== undefined) return known
    const shard: Shard = {
      hasOwner: false,
      owner: undefined,
      running: false,
      runner: undefined,
      misfire: false,
      disabled: false,
      failover: undefined,
      failovering: undefined,
    }
    this.#shards.set(number, shard)
    return shard
  }

  deleted(number: number): void {
    this.#shards.delete(number)
    this.disabledPeriods.forget(number)
  }

  /** The folder of the shards was read: only these exist, and nothing else is known of them yet. */
  listed(numbers: readonly number[]): void {
    this.disabledPeriods.keepOnly(numbers)
    this.#shards.clear()
    for (const number of numbers) this.created(number)
  }

  /** The node of a shard was read: the names of its children, or undefined if the node does not exist. */
  childrenListed(number: number, names: readonly string[] | undefined): void {
    this.#shards.delete(number)
    if (names === undefined) return this.disabledPeriods.forget(number)
    const shard = this.created(number)
    shard.hasOwner = names.includes('instance')
    shard.running = names.includes('running')
    shard.misfire = names.includes('misfire')
    shard.disabled = names.includes('disabled')
    this.disabledPeriods.seen(number, shard.disabled, this.#now())
  }

  ownerCreated(number: number): void {
    this.created(number).hasOwner = true
  }

  ownerStored(number: number, owner: OwnerNode): void {
    Object.assign(this.created(number), { hasOwner: true, owner })
  }

  ownerDeleted(number: number): void {
    const shard = this.#shards.get(number)
    if (shard !== undefined) Object.assign(shard, { hasOwner: false, owner: undefined })
  }

  markCreated(number: number, mark: ShardMark): void {
    this.#mark(this.created(number), number, mark, true)
  }

  markDeleted(number: number, mark: ShardMark): void {
    const shard = this.#shards.get(number)
    if (shard === undefined) return
    this.#mark(shard, number, mark, false)
    if (mark === 'running') shard.runner = undefined
    if (mark === 'failover' || mark === 'failovering') shard[mark] = undefined
  }

  markStored(number: number, mark: ShardMark, instance: string): void {
    const shard = this.created(number)
    if (mark === 'running') shard.runner = instance
    else if (mark === 'failover' || mark === 'failovering') shard[mark] = instance
  }

  /** The assignment agrees with the names in the nodes: these are not read any more. */
  forgetNames(): void {
    for (const shard of this.#shards.values()) {
      shard.owner = undefined
      shard.runner = undefined
    }
  }

  #mark(shard: Shard, number: number, mark: ShardMark, isThere: boolean): void {
    if (mark === 'running') this.#marks += 1
    if (mark === 'disabled') this.disabledPeriods.seen(number, isThere, this.#now())
    if (mark === 'running' || mark === 'misfire' || mark === 'disabled') shard[mark] = isThere
  }
}
