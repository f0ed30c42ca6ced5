import { MostlyEmptyMap } from '../mostly-empty.ts'

/** A shard is disabled after `after`, up to and with `until`. */
export interface DisabledPeriod {
  readonly after: number
  /** Infinity while the shard is disabled. */
  readonly until: number
}

/** So many periods of a shard are kept: a claim looks back to the one before it. */
const longest = 20
const none: readonly DisabledPeriod[] = Object.freeze([])

/**
 * The last periods in which each shard was disabled. Java's console deletes the node and writes nothing, perhaps while
 * this instance is not connected: every look at the nodes counts, not only an event.
 */
export class DisabledPeriods {
  readonly #periods = new MostlyEmptyMap<number, readonly DisabledPeriod[]>()

  /** The registry has lost data: when its shards were disabled is not known any more. */
  clear(): void {
    this.#periods.clear()
  }

  /**
   * From the oldest to the last. An instance without a connection sees later that a period has ended: by `since` of the
   * shard state, which `Operations` writes when it enables the shard, or with the node of the shard, which was
   * `created` again, perhaps in a registry that had lost its data.
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

  /** When the shard was seen to be enabled again; 0 if it was never disabled, Infinity while it is. */
  endOf(shard: number, now: number): number {
    return this.#known(shard, now)?.at(-1)?.until ?? 0
  }

  /** A period that is over and ends in the future was seen by a clock that has been set back since: it ends now. */
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

  /** The `disabled` node of the shard was seen, or seen to be absent. */
  seen(shard: number, isDisabled: boolean, now: number): void {
    const last = this.#periods.get(shard)?.at(-1)
    const isOpen = last?.until === Infinity
    if (isDisabled && !isOpen) this.#keep(shard, { after: now, until: Infinity })
    if (!isDisabled && isOpen) this.#keep(shard, { ...last, until: now })
  }

  /** The `disabled` node of the shard was read, and says when it was created. */
  began(shard: number, created: number): void {
    // The node may be gone again by the time its content arrives.
    if (this.#periods.get(shard)?.at(-1)?.until === Infinity)
      this.#keep(shard, { after: created, until: Infinity })
  }

  /** What is known of the last period; one that is over is followed by another. */
  #keep(shard: number, last: DisabledPeriod): void {
    const over = (this.#periods.get(shard) ?? []).filter(({ until }) => until < Infinity)
    this.#periods.set(shard, [...over, last].slice(-longest))
  }

  forget(shard: number): void {
    this.#periods.delete(shard)
  }

  /** Other shards than these do not exist any more. */
  keepOnly(shards: readonly number[]): void {
    for (const shard of this.#periods.keys()) if (!shards.includes(shard)) this.forget(shard)
  }
}
