/** The slots of the shards that this instance owns or runs, and the loading of their nodes from the registry. */
import type { Coordination } from '../job-tree/coordination.ts'
import { decodeShardState, type ShardState } from '../job-tree/shard-state.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { read, type ReadPart, type ReadResult, toText } from '../registry/transaction.ts'
import { message } from '../message.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { ShardSlot } from './shard-slot.ts'
import { offsetIn } from './offsets.ts'

/** Each shard has four nodes. This many shards stay well below the size limit of one response. */
const slotsPerRead = 100
const nodesPerSlot = 4

export class ShardTable {
  readonly #host: Coordination
  readonly #slots = new Map<number, ShardSlot>()
  /** Slots whose code outlived the session that claimed its run, by shard. */
  readonly #orphans = new MostlyEmptyMap<number, ShardSlot>()
  #idle: (() => void)[] = []

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

  /** How many runs have not ended in this process. */
  get runningCount(): number {
    let count = this.#orphans.size
    for (const slot of this) if (slot.isBusy) count += 1
    return count
  }

  /** Whether code of an earlier session still runs for the shard. It has to end before the next claim. */
  isOrphaned(shard: number): boolean {
    return this.#orphans.has(shard)
  }

  /** Resolves when this process has no more runs of the job. */
  idle(): Promise<void> {
    if (this.runningCount === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  get needsLoading(): boolean {
    for (const { state } of this) if (state === 'unread') return true
    return false
  }

  /** Sets the shards that this instance owns. It loses all others. */
  own(shards: ReadonlySet<number>, ownershipOf: (shard: number) => Ownership): void {
    for (const slot of this) {
      if (shards.has(slot.shard)) continue
      slot.lose()
      this.#forgetIfLost(slot)
    }
    for (const shard of shards) {
      const known = this.#slots.get(shard)
      if (known?.isOwned === true) continue
      known?.invalidate()
      const slot = known ?? this.#add(shard)
      slot.own(ownershipOf(shard))
    }
  }

  /** Reserves the slot of a shard to take over, owned or not; undefined if the shard cannot be taken over now. */
  reserve(shard: number): ShardSlot | undefined {
    if (this.isOrphaned(shard)) return undefined
    const slot = this.#slots.get(shard) ?? this.#add(shard)
    if (slot.isBusy || slot.state === 'reading' || slot.state === 'correcting') return undefined
    slot.reserve()
    return slot
  }

  /** Nothing was taken over. */
  giveBack(slot: ShardSlot): void {
    if (!this.has(slot)) return
    slot.reset()
    this.#forgetIfLost(slot)
  }

  /** The run of the slot is over. */
  released(slot: ShardSlot): void {
    this.#forgetIfLost(slot)
    this.#settleIfIdle()
  }

  /** The session has expired: empties the table. Slots whose code still runs stay orphaned until it ends. */
  expire(): readonly ShardSlot[] {
    const slots = [...this]
    this.#slots.clear()
    for (const slot of slots) {
      slot.expire()
      if (slot.state === 'orphaned') this.#orphans.set(slot.shard, slot)
    }
    this.#settleIfIdle()
    return slots
  }

  /** The code of an orphaned run has ended. */
  orphanEnded(slot: ShardSlot): void {
    slot.end()
    this.#orphans.delete(slot.shard)
    this.#settleIfIdle()
  }

  #add(shard: number): ShardSlot {
    const slot = new ShardSlot(shard, this.#host.session.now())
    this.#slots.set(shard, slot)
    return slot
  }

  #forgetIfLost(slot: ShardSlot): void {
    if (slot.isOwned || slot.isBusy || !this.has(slot)) return
    this.#slots.delete(slot.shard)
    this.#host.health.forget(this.#host.replica.paths.shardState(slot.shard))
  }

  #settleIfIdle(): void {
    if (this.#idle.length === 0 || this.runningCount > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Reads the nodes that a claim depends on. */
  async load(): Promise<void> {
    const unread = [...this].filter(({ state }) => state === 'unread')
    for (const slot of unread) slot.read()
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
      for (const slot of slots) if (slot.state === 'reading') slot.reset()
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
  if (slot.isStale) return slot.reset()
  const path = paths.shardState(slot.shard)
  const refused = results.find(isRefused)
  if (refused !== undefined) {
    health.note(
      path,
      message('file-unreadable', { path: refused.error.path ?? path, reason: refused.error.code }),
    )
    return slot.find('unreadable')
  }
  if (owner === undefined || !('data' in owner)) return slot.find('foreign')
  if (!(slot.ownership.byTurn || toText(owner.data) === instance)) return slot.find('foreign')
  const hasState = shardState !== undefined && 'data' in shardState
  const { value, problem } = decodeShardState(hasState ? toText(shardState.data) : '', path)
  health.read(path, problem)
  if (problem !== undefined) return slot.find('unreadable')
  slot.load({
    shard: slot.shard,
    ownerVersion: owner.stat.version,
    ownerCzxid: owner.stat.czxid,
    created: node !== undefined && 'data' in node ? Number(node.stat.ctime) : 0,
    // A shard state that was known and is absent now was deleted by hand. The fire times that it recorded still count.
    shardState: hasState ? value : endedState(slot.shardState),
    stateVersion: hasState ? shardState.stat.version : -1,
    offset: offsetIn(offset),
  })
}

/** Whether the read failed for another reason than an absent node. Such a node may exist. */
function isRefused(result: ReadResult): result is Extract<ReadResult, { readonly error: unknown }> {
  return 'error' in result && result.error.code !== 'REGISTRY_NO_NODE'
}

/** The last known state of a shard whose state was deleted: a run that it records is over. */
function endedState(shardState: ShardState | undefined): ShardState | undefined {
  return shardState?.state === 'running' ? { ...shardState, state: 'idle' } : shardState
}
