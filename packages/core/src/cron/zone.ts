/**
 * A time zone as the search needs it, in seconds. Asking `Intl` costs microseconds, so the changes of
 * the clock are found once for each stretch of time that anybody asks about, and kept. One table
 * serves all the expressions of a zone.
 */

/** The clock is set forward or back at an instant; offsets are seconds east of Greenwich. */
interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** A stretch of time: the offset at its beginning, and what changes within. */
interface Stretch {
  readonly offset: number
  readonly changes: readonly Change[]
}

/** A repeated hour: it is passed before `at` for the first time, from `at` on for the second. */
export interface Repeat {
  readonly at: number
  readonly length: number
}

/** The length of a stretch, some 24 days. */
const stretchSeconds = 2 ** 21
/** More than any zone is away from Greenwich: a stretch serves wall clocks as well as instants. */
const margin = 16 * 3600
/**
 * Samples are a little more than six days apart: two changes between them which undo each other would
 * be missed. Since 1970 no zone has made two within less than a week, but some have within eight days.
 */
const samples = 4

export class Zone {
  readonly #offsetAt: (second: number) => number
  readonly #stretches = new Map<number, Stretch>()
  #latestKey = NaN
  #latest: Stretch = { offset: 0, changes: [] }

  /** `offsetAt` is asked seldom, and may be slow. */
  constructor(offsetAt: (second: number) => number) {
    this.#offsetAt = offsetAt
  }

  /** What a clock on the wall shows, in seconds as if it were UTC. */
  wallOf(instant: number): number {
    const { offset, changes } = this.#stretchOf(instant)
    let current = offset
    for (const change of changes) if (instant >= change.at) current = change.after
    return instant + current
  }

  /**
   * When a clock on the wall shows this, as Java's calendar decides: a repeated time is meant the
   * second time, and one that is left out is counted with the offset from before the change.
   */
  instantOf(wall: number): number {
    const { offset, changes } = this.#stretchOf(wall)
    let current = offset
    for (const { at, after } of changes) if (wall >= at + after) current = after
    return wall - current
  }

  /** Moves a time that is left out to where Java's calendar puts it; any other stays as it is. */
  settle(wall: number): number {
    for (const { at, before, after } of this.#stretchOf(wall).changes) {
      if (wall >= at + before && wall < at + after) return wall + after - before
    }
    return wall
  }

  /** The repeated hour that an instant lies in, be it the first or the second time. */
  repeatAround(instant: number): Repeat | undefined {
    for (const { at, before, after } of this.#stretchOf(instant).changes) {
      const length = before - after
      if (length > 0 && instant >= at - length && instant < at + length) return { at, length }
    }
    return undefined
  }

  #stretchOf(second: number): Stretch {
    const key = Math.floor(second / stretchSeconds)
    if (key === this.#latestKey) return this.#latest
    let stretch = this.#stretches.get(key)
    if (stretch === undefined) {
      stretch = this.#explore(key * stretchSeconds - margin, (key + 1) * stretchSeconds + margin)
      this.#stretches.set(key, stretch)
    }
    this.#latestKey = key
    this.#latest = stretch
    return stretch
  }

  #explore(from: number, to: number): Stretch {
    const offset = this.#offsetAt(from)
    const changes: Change[] = []
    let before = offset
    for (let sample = 1; sample <= samples; sample++) {
      const start = from + Math.floor(((to - from) * (sample - 1)) / samples)
      const end = from + Math.floor(((to - from) * sample) / samples)
      const after = this.#offsetAt(end)
      if (after !== before) changes.push({ at: this.#changeIn(start, end, before), before, after })
      before = after
    }
    return { offset, changes }
  }

  /** The first instant whose offset is not the one of `start`. */
  #changeIn(start: number, end: number, before: number): number {
    let [low, high] = [start, end]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.#offsetAt(middle) === before) low = middle
      else high = middle
    }
    return high
  }
}
