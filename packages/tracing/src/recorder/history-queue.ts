import type { Clock, Timer } from '@elasticjob/zookeeper'

import type { Entry } from './entry.ts'
import { type DroppedRows, type Mutable, noDrops } from './figures.ts'
import { Fifo } from './fifo.ts'

export interface QueueLimits {
  /** How many entries may wait. */
  readonly entries: number
  /** How much memory they may take, about. */
  readonly bytes: number
}

/**
 * What waits to be written, in bounded memory: whatever comes is taken, and the oldest goes for it.
 * Those that close a row go last, because a row that stays open says something untrue; there are no more of them
 * than runs that go on at the same time.
 */
export class HistoryQueue {
  readonly #limits: QueueLimits
  readonly #entries = new Fifo<Entry>()
  readonly #closing = new Fifo<Entry>()
  readonly #dropped: Mutable<DroppedRows> = { ...noDrops }
  #bytes = 0
  /** What was taken out and is not known to be written. */
  #takenEntries = 0
  #takenBytes = 0
  readonly #tell: (rows: DroppedRows) => void
  readonly #clock: Clock
  #telling: Timer | undefined

  /** `tell` is given what was dropped in all, at most once a second. */
  constructor(limits: QueueLimits, tell: (rows: DroppedRows) => void, clock: Clock) {
    this.#limits = limits
    this.#tell = tell
    this.#clock = clock
  }

  /** How many can be taken. */
  get length(): number {
    return this.#entries.length + this.#closing.length
  }

  /** How many are in memory, those included that are being written. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.length + this.#takenEntries, bytes: this.#bytes + this.#takenBytes }
  }

  get dropped(): DroppedRows {
    return { ...this.#dropped }
  }

  add(entry: Entry): void {
    const queue = entry.closes ? this.#closing : this.#entries
    queue.push(entry)
    this.#bytes += entry.bytes
    this.#dropExcess()
  }

  /** Changes an entry that waits; what it says may take more room then. */
  grow(entry: Entry, change: (entry: Entry) => void): void {
    const before = entry.bytes
    change(entry)
    this.#bytes += entry.bytes - before
    this.#dropExcess()
  }

  /** The oldest, as many as may go together. */
  take(entries: number, bytes: number): Entry[] {
    const taken: Entry[] = []
    let size = 0
    for (const queue of [this.#closing, this.#entries]) {
      for (let next = queue.first; next !== undefined; next = queue.first) {
        if (taken.length >= entries || (taken.length > 0 && size + next.bytes > bytes)) break
        queue.shift()
        next.state = 'taken'
        size += next.bytes
        taken.push(next)
      }
    }
    this.#bytes -= size
    this.#takenBytes += size
    this.#takenEntries += taken.length
    return taken
  }

  /** What was taken is not kept any more. */
  release(taken: readonly Entry[]): void {
    this.#takenEntries -= taken.length
    for (const { bytes } of taken) this.#takenBytes -= bytes
  }

  /** What was taken will not be written. */
  giveUp(taken: readonly Entry[]): void {
    this.release(taken)
    for (const entry of taken) this.#count(entry)
  }

  /** Nothing of what waits will be written. */
  clear(): void {
    while (this.length > 0) this.#dropOldest()
  }

  /** What was dropped and not told yet is told now. */
  tellDropped(): void {
    if (this.#telling === undefined) return
    this.#telling.cancel()
    this.#telling = undefined
    this.#tell(this.dropped)
  }

  #dropExcess(): void {
    const { entries, bytes } = this.#limits
    while (this.length > 0) {
      const size = this.size
      if (size.entries <= entries && size.bytes <= bytes) return
      this.#dropOldest()
    }
  }

  #dropOldest(): void {
    const entry = this.#entries.shift() ?? this.#closing.shift()
    if (entry === undefined) return
    this.#bytes -= entry.bytes
    this.#count(entry)
  }

  #count(entry: Entry): void {
    entry.state = 'dropped'
    // Thousands may go in a second: they are told of together.
    this.#telling ??= this.#clock.setTimer(() => this.tellDropped(), 1000)
    const dropped = this.#dropped
    dropped.statuses += entry.statuses.length
    if (entry.log !== undefined) dropped.logs++
    if (entry.lost !== undefined) dropped.lost++
    // Of a run that goes on nothing is lost yet: its end is told with all that is known.
    if (entry.execution?.completeTime === undefined) return
    if (entry.closes) dropped.ends++
    else dropped.executions++
  }
}
