/** The lanes of the items that this instance owns or runs, and what the registry says of them. */
import {
  isZooKeeperError,
  type MultiReadResult,
  read,
  type ReadPart,
  toText,
} from '@elasticjob/zookeeper'

import type { Coordination } from '../job-tree/coordination.ts'
import { decodeItemWord } from '../job-tree/item-word.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { Lane } from './lane.ts'

/** Four nodes for each item: together well below what one answer may have. */
const lanesPerRead = 100
const nodesPerLane = 4

export class LaneTable {
  readonly #host: Coordination
  readonly #lanes = new Map<number, Lane>()
  #firedAt: number | undefined

  constructor(host: Coordination) {
    this.#host = host
  }

  [Symbol.iterator](): IterableIterator<Lane> {
    return this.#lanes.values()
  }

  get size(): number {
    return this.#lanes.size
  }

  get(item: number): Lane | undefined {
    return this.#lanes.get(item)
  }

  has(lane: Lane): boolean {
    return this.#lanes.get(lane.item) === lane
  }

  /** The items owned, in order. */
  get items(): number[] {
    const owned = [...this].filter(({ isOwned }) => isOwned).map(({ item }) => item)
    return owned.toSorted((a, b) => a - b)
  }

  get busyCount(): number {
    let count = 0
    for (const lane of this) if (lane.isBusy) count += 1
    return count
  }

  get needsLoading(): boolean {
    for (const { state } of this) if (state === 'unread') return true
    return false
  }

  /** These items are ours from now on, and no others. */
  own(items: ReadonlySet<number>, ownershipOf: (item: number) => Ownership): void {
    for (const lane of this) {
      if (items.has(lane.item)) continue
      lane.isOwned = false
      this.forgetIfLost(lane)
    }
    for (const item of items) {
      let lane = this.#lanes.get(item)
      if (lane?.isOwned === true) continue
      if (lane === undefined) {
        lane = new Lane(item, this.#host.session.now())
        this.#lanes.set(item, lane)
      } else {
        lane.isOwned = true
        lane.isStale = true
      }
      Object.assign(lane, ownershipOf(item))
    }
  }

  /** The lane for an item that is taken over, whoever owns it; undefined while it is busy. */
  borrow(item: number): Lane | undefined {
    let lane = this.#lanes.get(item)
    if (lane === undefined) {
      lane = new Lane(item, this.#host.session.now())
      lane.isOwned = false
      this.#lanes.set(item, lane)
    }
    return lane.isBusy || lane.state === 'reading' ? undefined : lane
  }

  /** Nothing happens in the lane any more: if the item is not ours, it goes. */
  forgetIfLost(lane: Lane): void {
    if (!lane.isOwned && !lane.isBusy) this.#lanes.delete(lane.item)
  }

  clear(): void {
    this.#lanes.clear()
  }

  /** The registry says something else of an item's owner than what was read. */
  ownerTouched(item: number): void {
    const lane = this.#lanes.get(item)
    if (lane === undefined) return
    if (lane.state === 'idle' || lane.state === 'foreign') lane.state = 'unread'
    else lane.isStale = true
  }

  /**
   * A run of an item has begun or ended. One that was under way when the item came here is not ours: the
   * word that tells of it is read again, or the item would wait for its end for ever.
   */
  runTouched(item: number): void {
    const lane = this.#lanes.get(item)
    if (lane?.state === 'reading') lane.isStale = true
    if (lane?.state === 'idle' && lane.word?.state === 'running') lane.state = 'unread'
  }

  /**
   * A scheduled time has come, or will in a moment: what was refused before gets its chance, once. Of a run whose
   * mark somebody has taken away, as Java does with those of others, nobody hears that it has ended.
   */
  fired(time: number): void {
    if (time === this.#firedAt) return
    this.#firedAt = time
    for (const lane of this) {
      lane.failures = 0
      if (lane.state === 'idle' && lane.word?.state === 'running') lane.state = 'unread'
    }
  }

  /** After a reconnect everything has to be looked at again. */
  resume(): void {
    for (const lane of this) {
      if (lane.isBusy) lane.isStale = true
      else lane.state = 'unread'
    }
  }

  /** Reads what has to be known of items before they can be claimed. */
  async load(): Promise<void> {
    const unread = [...this].filter(({ state }) => state === 'unread')
    for (const lane of unread) {
      lane.state = 'reading'
      lane.isStale = false
    }
    for (let start = 0; start < unread.length; start += lanesPerRead) {
      await this.#read(unread.slice(start, start + lanesPerRead))
    }
    if (unread.length > 0) this.freed(unread.map(({ item }) => item))
  }

  /** Nothing is under way for these items: one that waits to be taken over could not be before. */
  freed(items: readonly number[]): void {
    const { failoverItems } = this.#host.replica
    if (items.some((item) => failoverItems.has(item))) this.#host.changed()
    else this.#host.look()
  }

  async #read(lanes: readonly Lane[]): Promise<void> {
    const { session, replica } = this.#host
    const { instance } = session
    const { paths } = replica
    const parts = lanes.flatMap(({ item }): ReadPart[] => [
      read.get(paths.owner(item)),
      read.get(paths.item(item)),
      read.get(paths.itemWord(item)),
      read.get(paths.offset(item)),
    ])
    try {
      const results = await session.read(parts)
      if (instance !== session.instance) return
      for (const [index, lane] of lanes.entries()) {
        const first = index * nodesPerLane
        if (lane.state === 'reading')
          loaded(lane, results.slice(first, first + nodesPerLane), instance)
      }
    } catch (error) {
      for (const lane of lanes) if (lane.state === 'reading') lane.state = 'unread'
      if (!isZooKeeperError(error)) throw error
    }
  }
}

function loaded(lane: Lane, results: readonly MultiReadResult[], instance: string): void {
  const [owner, node, word, offset] = results
  if (lane.isStale) {
    lane.state = 'unread'
    return
  }
  if (
    owner === undefined ||
    !('data' in owner) ||
    !(lane.byTurn || toText(owner.data) === instance)
  ) {
    lane.state = 'foreign'
    return
  }
  lane.ownerVersion = owner.stat.version
  lane.ownerCzxid = owner.stat.czxid
  lane.created = node !== undefined && 'data' in node ? Number(node.stat.ctime) : 0
  const hasWord = word !== undefined && 'data' in word
  lane.word = hasWord ? decodeItemWord(toText(word.data)) : undefined
  lane.wordVersion = hasWord ? word.stat.version : -1
  lane.offset = offset !== undefined && 'data' in offset ? toText(offset.data) : undefined
  lane.state = 'idle'
}
