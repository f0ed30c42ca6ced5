import { MostlyEmptyMap } from '../mostly-empty.ts'

/** A shard is disabled after `after`, up to and including `until`. */
export interface DisabledPeriod {
  readonly after: number
  /** Infinity while the shard is disabled. */
  readonly until: number
}

/** How many periods of a shard are kept: a claim covers the time since the previous claim. */
const longest = 20
const none: readonly DisabledPeriod[] = Object.freeze([])

/**
 * The last periods in which each shard was disabled. Java's console deletes the node and records nothing, possibly
 * while this instance is disconnected. So every read of the nodes counts, not only an event.
 */
export class DisabledPeriods {
  readonly #periods = new MostlyEmptyMap<number, readonly DisabledPeriod[]>()

  /** The registry has lost data: the disabled periods of the shards are unknown. */
  clear(): void {
    this.#periods.clear()
  }

  /**
   * The periods from the oldest to the last. A disconnected instance sees the end of a period late. An earlier end
   * follows from `since` of the shard state, which `Operations` writes when it enables the shard, or from the `created`
   * time of the shard node, if the node was recreated, possibly in a registry that had lost its data.
   */
  of(shard: number, now: number, since = 0, created = 0): readonly DisabledPeriod[] {
    const periods = this.#known(shard, now)
    if (periods === undefined) return none
    return periods.map((period) => {
      const ends = [since, created].filter((end) => end > period.after)
      return period.until === Infinity || ends.length === 0
        ? period
        : { ...period, until: Math.min(period.until, ...ends) }
    })
  }

  /** When the shard was seen enabled again; 0 if it was never disabled, Infinity while it is disabled. */
  endOf(shard: number, now: number): number {
    return this.#known(shard, now)?.at(-1)?.until ?? 0
  }

  /** A closed period that ends in the future was recorded before the clock was set back: it ends now. */
  #known(shard: number, now: number): readonly DisabledPeriod[] | undefined {
    const periods = this.#periods.get(shard)
    const last = periods?.at(-1)
    if (periods === undefined || last === undefined) return undefined
    if (last.until === Infinity || last.until <= now) return periods
    const past = periods.map(({ after, until }) => ({
      after: Math.min(after, now),
      until: Math.min(until, now),
    }))
    this.#periods.set(shard, past)
    return past
  }

  /** The `disabled` node of the shard exists or is absent. */
  seen(shard: number, isDisabled: boolean, now: number): void {
    const last = this.#periods.get(shard)?.at(-1)
    const isOpen = last?.until === Infinity
    if (isDisabled && !isOpen) this.#keep(shard, { after: now, until: Infinity })
    if (!isDisabled && isOpen) this.#keep(shard, { ...last, until: now })
  }

  /** The `disabled` node of the shard was read, with its creation time. */
  began(shard: number, created: number): void {
    // The node may be gone again by the time its content arrives.
    if (this.#periods.get(shard)?.at(-1)?.until === Infinity)
      this.#keep(shard, { after: created, until: Infinity })
  }

  /** Replaces the open period with this one, or appends it after the closed ones. */
  #keep(shard: number, last: DisabledPeriod): void {
    const over = (this.#periods.get(shard) ?? []).filter(({ until }) => until < Infinity)
    this.#periods.set(shard, [...over, last].slice(-longest))
  }

  forget(shard: number): void {
    this.#periods.delete(shard)
  }

  /** Drops the periods of shards that no longer exist. */
  keepOnly(shards: readonly number[]): void {
    for (const shard of this.#periods.keys()) if (!shards.includes(shard)) this.forget(shard)
  }
}
