/** The slots of the shards that this instance owns or runs, and what the registry says of them. */
import type { Coordination } from '../job-tree/coordination.ts'
import { decodeShardState, type ShardState } from '../job-tree/shard-state.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { read, type ReadPart, type ReadResult, toText } from '../registry/transaction.ts'
import { message } from '../message.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { ShardSlot } from './shard-slot.ts'
import { offsetIn } from './offsets.ts'

/** Four nodes for each shard: together well below what one answer may have. */
const slotsPerRead = 100
const nodesPerSlot = 4

export class ShardTable {
  readonly #host: Coordination
  readonly #slots = new Map<number, ShardSlot>()
  #firedAt: number | undefined

  constructor(host: Coordination) {
    this.#host = host
  }

  [Symbol.iterator](): IterableIterator<ShardSlot> {
    return this.#slots.values()
  }

  get size(): number {
    return this.#slots.size
  }

  get(shard: number): ShardSlot | undefined {
    return this.#slots.get(shard)
  }

  has(slot: ShardSlot): boolean {
    return this.#slots.get(slot.shard) === slot
  }

  /** The shards owned, in order. */
  get shards(): number[] {
    const owned = [...this].filter(({ isOwned }) => isOwned).map(({ shard }) => shard)
    return owned.toSorted((a, b) => a - b)
  }

  get busyCount(): number {
    let count = 0
    for (const slot of this) if (slot.isBusy) count += 1
    return count
  }

  get needsLoading(): boolean {
    for (const { state } of this) if (state === 'unread') return true
    return false
  }

  /** These shards are ours from now on, and no others. */
  own(shards: ReadonlySet<number>, ownershipOf: (shard: number) => Ownership): void {
    for (const slot of this) {
      if (shards.has(slot.shard)) continue
      slot.isOwned = false
      this.forgetIfLost(slot)
    }
    for (const shard of shards) {
      let slot = this.#slots.get(shard)
      if (slot?.isOwned === true) continue
      if (slot === undefined) {
        slot = new ShardSlot(shard, this.#host.session.now())
        this.#slots.set(shard, slot)
      } else {
        slot.isOwned = true
        slot.isStale = true
      }
      Object.assign(slot, ownershipOf(shard))
    }
  }

  /** The slot for a shard that is taken over, whoever owns it; undefined while it is busy. */
  borrow(shard: number): ShardSlot | undefined {
    let slot = this.#slots.get(shard)
    if (slot === undefined) {
      slot = new ShardSlot(shard, this.#host.session.now())
      slot.isOwned = false
      this.#slots.set(shard, slot)
    }
    return slot.isBusy || slot.state === 'reading' ? undefined : slot
  }

  /** Nothing happens in the slot any more: if the shard is not ours, it goes. */
  forgetIfLost(slot: ShardSlot): void {
    if (slot.isOwned || slot.isBusy) return
    this.#slots.delete(slot.shard)
    this.#host.health.forget(this.#host.replica.paths.shardState(slot.shard))
  }

  clear(): void {
    this.#slots.clear()
  }

  /** The registry says something else of a shard's owner than what was read. */
  ownerTouched(shard: number): void {
    const slot = this.#slots.get(shard)
    if (slot === undefined) return
    if (slot.state === 'idle' || slot.state === 'foreign') slot.state = 'unread'
    else slot.isStale = true
  }

  /**
   * A run of a shard has begun or ended. One that was under way when the shard came here is not ours: the state that
   * tells of it is read again, or the shard would wait for its end for ever.
   */
  runTouched(shard: number): void {
    const slot = this.#slots.get(shard)
    if (slot?.state === 'reading') slot.isStale = true
    if (slot?.state === 'idle' && slot.shardState?.state === 'running') slot.state = 'unread'
  }

  /**
   * A scheduled time has come, or will in a moment: what was refused before gets its chance, once. Of a run whose
   * mark somebody has taken away, as Java does with those of others, nobody hears that it has ended.
   */
  fired(time: number): void {
    if (time === this.#firedAt) return
    this.#firedAt = time
    for (const slot of this) {
      slot.failures = 0
      if (slot.state === 'idle' && slot.shardState?.state === 'running') slot.state = 'unread'
    }
    this.readAgain()
  }

  /** After a reconnect everything has to be looked at again. */
  resume(): void {
    for (const slot of this) {
      if (slot.isBusy) slot.isStale = true
      else slot.state = 'unread'
    }
  }

  /** Something about the job is different: a shard state that could not be read may be readable by now. */
  readAgain(): void {
    for (const slot of this) if (slot.state === 'unreadable') slot.state = 'unread'
  }

  /** Reads what has to be known of shards before they can be claimed. */
  async load(): Promise<void> {
    const unread = [...this].filter(({ state }) => state === 'unread')
    for (const slot of unread) {
      slot.state = 'reading'
      slot.isStale = false
    }
    for (let start = 0; start < unread.length; start += slotsPerRead) {
      await this.#read(unread.slice(start, start + slotsPerRead))
    }
    if (unread.length > 0) this.freed(unread.map(({ shard }) => shard))
  }

  /** Nothing is under way for these shards: one that waits to be taken over could not be before. */
  freed(shards: readonly number[]): void {
    const { failoverShards } = this.#host.replica
    if (shards.some((shard) => failoverShards.has(shard))) this.#host.changed()
    else this.#host.look()
  }

  async #read(slots: readonly ShardSlot[]): Promise<void> {
    const { session, replica } = this.#host
    const { instance } = session
    const { paths } = replica
    const parts = slots.flatMap(({ shard }): ReadPart[] => [
      read.get(paths.owner(shard)),
      read.get(paths.shard(shard)),
      read.get(paths.shardState(shard)),
      read.get(paths.offset(shard)),
    ])
    try {
      const results = await session.read(parts)
      if (instance !== session.instance) return
      for (const [index, slot] of slots.entries()) {
        const first = index * nodesPerSlot
        if (slot.state === 'reading')
          loaded(slot, results.slice(first, first + nodesPerSlot), this.#host)
      }
    } catch (error) {
      for (const slot of slots) if (slot.state === 'reading') slot.state = 'unread'
      if (!isRegistryError(error)) throw error
    }
  }
}

function loaded(
  slot: ShardSlot,
  results: readonly ReadResult[],
  { session: { instance }, replica: { paths }, health }: Coordination,
): void {
  const [owner, node, shardState, offset] = results
  if (slot.isStale) {
    slot.state = 'unread'
    return
  }
  const path = paths.shardState(slot.shard)
  const refused = results.find(isRefused)
  if (refused !== undefined) {
    health.note(path, message`${refused.error.path ?? path} cannot be read: ${refused.error.code}`)
    slot.state = 'unreadable'
    return
  }
  if (
    owner === undefined ||
    !('data' in owner) ||
    !(slot.byTurn || toText(owner.data) === instance)
  ) {
    slot.state = 'foreign'
    return
  }
  slot.ownerVersion = owner.stat.version
  slot.ownerCzxid = owner.stat.czxid
  slot.ownerSince = Number(owner.stat.mtime)
  slot.created = node !== undefined && 'data' in node ? Number(node.stat.ctime) : 0
  const hasState = shardState !== undefined && 'data' in shardState
  const { value, problem } = decodeShardState(hasState ? toText(shardState.data) : '', path)
  health.read(path, problem)
  if (problem !== undefined) {
    slot.state = 'unreadable'
    return
  }
  // A known state that is gone was deleted by hand: the fire times that it recorded still count.
  slot.shardState = hasState ? value : endedState(slot.shardState)
  slot.stateVersion = hasState ? shardState.stat.version : -1
  slot.offset = offsetIn(offset)
  slot.state = 'idle'
}

/** Unknown is not absent: of a node that the registry does not let us read, nobody knows whether it is there. */
function isRefused(result: ReadResult): result is Extract<ReadResult, { readonly error: unknown }> {
  return 'error' in result && result.error.code !== 'REGISTRY_NO_NODE'
}

/** The state of a deleted shard: its run is over. */
function endedState(shardState: ShardState | undefined): ShardState | undefined {
  return shardState?.state === 'running' ? { ...shardState, state: 'idle' } : shardState
}
