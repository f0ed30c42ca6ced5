/** The slots of the shards that this instance owns or runs, and the loading of their nodes from the registry. */
import type { Coordination } from '../job-tree/coordination.ts'
import { decodeShardState, type ShardState } from '../job-tree/shard-state.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { read, type ReadPart, type ReadResult, toText } from '../registry/transaction.ts'
import { message } from '../message.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { ShardSlot } from './shard-slot.ts'
import { offsetIn } from './offsets.ts'

/** Each shard has four nodes. This many shards stay well below the size limit of one response. */
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

  /** The owned shards in ascending order. */
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

  /** Sets the shards that this instance owns. It loses all others. */
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

  /** The slot for a shard to take over, owned or not; undefined while the slot is busy or reading. */
  borrow(shard: number): ShardSlot | undefined {
    let slot = this.#slots.get(shard)
    if (slot === undefined) {
      slot = new ShardSlot(shard, this.#host.session.now())
      slot.isOwned = false
      this.#slots.set(shard, slot)
    }
    return slot.isBusy || slot.state === 'reading' ? undefined : slot
  }

  /** Removes the slot if it is not busy and this instance does not own the shard. */
  forgetIfLost(slot: ShardSlot): void {
    if (slot.isOwned || slot.isBusy) return
    this.#slots.delete(slot.shard)
    this.#host.health.forget(this.#host.replica.paths.shardState(slot.shard))
  }

  clear(): void {
    this.#slots.clear()
  }

  /** The owner node of a shard changed since it was read. */
  ownerTouched(shard: number): void {
    const slot = this.#slots.get(shard)
    if (slot === undefined) return
    if (slot.state === 'idle' || slot.state === 'foreign') slot.state = 'unread'
    else slot.isStale = true
  }

  /**
   * A run of a shard has started or ended. A shard state that was read as running describes a run of another instance.
   * That state is read again when the run ends; otherwise the shard would wait for the end forever.
   */
  runTouched(shard: number): void {
    const slot = this.#slots.get(shard)
    if (slot?.state === 'reading') slot.isStale = true
    if (slot?.state === 'idle' && slot.shardState?.state === 'running') slot.state = 'unread'
  }

  /**
   * A fire time has come or is imminent: refused claims get one more try. Shard states read as running are read again,
   * because Java deletes the running marks of other instances, and then no event announces the end of the run.
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

  /** After a reconnect every slot has to be read again. */
  resume(): void {
    for (const slot of this) {
      if (slot.isBusy) slot.isStale = true
      else slot.state = 'unread'
    }
  }

  /** The job has changed: an unreadable shard state may be readable now. */
  readAgain(): void {
    for (const slot of this) if (slot.state === 'unreadable') slot.state = 'unread'
  }

  /** Reads the nodes that a claim depends on. */
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

  /**
   * These slots are free again. If one of the shards waits for failover, all services check the job again: a takeover
   * was not possible while the slot was busy.
   */
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
    health.note(
      path,
      message('file-unreadable', { path: refused.error.path ?? path, reason: refused.error.code }),
    )
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
  // A shard state that was known and is absent now was deleted by hand. The fire times that it recorded still count.
  slot.shardState = hasState ? value : endedState(slot.shardState)
  slot.stateVersion = hasState ? shardState.stat.version : -1
  slot.offset = offsetIn(offset)
  slot.state = 'idle'
}

/** Whether the read failed for another reason than an absent node. Such a node may exist. */
function isRefused(result: ReadResult): result is Extract<ReadResult, { readonly error: unknown }> {
  return 'error' in result && result.error.code !== 'REGISTRY_NO_NODE'
}

/** The last known state of a shard whose state was deleted: a run that it records is over. */
function endedState(shardState: ShardState | undefined): ShardState | undefined {
  return shardState?.state === 'running' ? { ...shardState, state: 'idle' } : shardState
}
