import type { Clock, Timer } from '@elasticjob/core'

import type { Entry } from './entry.ts'
import { type DroppedRows, type Mutable, noDrops } from './metrics.ts'
import { Fifo } from './fifo.ts'

export interface QueueLimits {
  /** The maximum number of entries. */
  readonly entries: number
  /** Their approximate maximum memory, in bytes. */
  readonly bytes: number
}

/**
 * The entries to write, in bounded memory: a new entry is always accepted and the oldest is dropped for it.
 * Entries that close a row are dropped last, because an open row is misleading; there are no more of them
 * than concurrent runs.
 */
export class HistoryQueue {
  readonly #limits: QueueLimits
  readonly #entries = new Fifo<Entry>()
  readonly #closing = new Fifo<Entry>()
  readonly #dropped: Mutable<DroppedRows> = { ...noDrops }
  #bytes = 0
  /** Entries that were taken and whose write is not confirmed. */
  #takenEntries = 0
  #takenBytes = 0
  readonly #tell: (rows: DroppedRows) => void
  readonly #clock: Clock
  #telling: Timer | undefined

  /** `tell` receives the total of dropped rows, at most once a second. */
  constructor(limits: QueueLimits, tell: (rows: DroppedRows) => void, clock: Clock) {
    this.#limits = limits
    this.#tell = tell
    this.#clock = clock
  }

  /** The number of entries that can be taken. */
  get length(): number {
    return this.#entries.length + this.#closing.length
  }

  /** The number of entries in memory, including those being written. */
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

  /** Extends a queued entry, which may need more memory then. */
  grow(entry: Entry, change: (entry: Entry) => void): void {
    const before = entry.bytes
    change(entry)
    this.#bytes += entry.bytes - before
    this.#dropExcess()
  }

  /** Takes the oldest entries that fit into a batch. */
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

  /** Releases written entries. */
  release(taken: readonly Entry[]): void {
    this.#takenEntries -= taken.length
    for (const { bytes } of taken) this.#takenBytes -= bytes
  }

  /** Drops taken entries. */
  giveUp(taken: readonly Entry[]): void {
    this.release(taken)
    for (const entry of taken) this.#count(entry)
  }

  /** Drops all queued entries. */
  clear(): void {
    while (this.length > 0) this.#dropOldest()
  }

  /** Reports dropped rows that were not reported yet. */
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
    // Thousands may be dropped in a second: reported together.
    this.#telling ??= this.#clock.setTimer(() => this.tellDropped(), 1000)
    const dropped = this.#dropped
    dropped.statuses += entry.statuses.length
    if (entry.log !== undefined) dropped.logs++
    if (entry.lost !== undefined) dropped.lost++
    // Nothing of a running run is lost yet: its end contains everything.
    if (entry.execution?.completeTime === undefined) return
    if (entry.closes) dropped.ends++
    else dropped.executions++
  }
}
