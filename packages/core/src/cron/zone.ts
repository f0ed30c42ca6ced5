/**
 * A time zone in the form that the search needs, in seconds. A call of `Intl` costs microseconds, so the clock changes
 * are computed once for each period that a search touches, and cached. All expressions of a zone share one table.
 */

/** A change of the clock at an instant; offsets are seconds east of Greenwich. */
interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** A period of time: the offset at its beginning, and the clock changes within it. */
interface Stretch {
  readonly offset: number
  readonly changes: readonly Change[]
}

/** A repeated hour: its first pass ends at `at`, where its second pass begins. */
export interface Repeat {
  readonly at: number
  readonly length: number
}

/** The length of a stretch, about 24 days. */
const stretchSeconds = 2 ** 21
/** Larger than any offset from UTC, so that a stretch covers wall-clock times as well as instants. */
const margin = 16 * 3600
/**
 * The samples are a little more than six days apart. Two changes between two samples that cancel each other would be
 * missed. Since 1970 no zone has made two changes within a week, but some zones have within eight days.
 */
const samples = 4

export class Zone {
  readonly #offsetAt: (second: number) => number
  readonly #stretches = new Map<number, Stretch>()
  #latestKey = NaN
  #latest: Stretch = { offset: 0, changes: [] }

  /** `offsetAt` is called rarely and may be slow. */
  constructor(offsetAt: (second: number) => number) {
    this.#offsetAt = offsetAt
  }

  /** The wall-clock time of an instant, in seconds as if it were UTC. */
  wallOf(instant: number): number {
    const { offset, changes } = this.#stretchOf(instant)
    let current = offset
    for (const change of changes) if (instant >= change.at) current = change.after
    return instant + current
  }

  /**
   * The instant of a wall-clock time, by the rules of Java's calendar: a repeated time means the second pass, and a
   * skipped time uses the offset before the change.
   */
  instantOf(wall: number): number {
    const { offset, changes } = this.#stretchOf(wall)
    let current = offset
    for (const { at, after } of changes) if (wall >= at + after) current = after
    return wall - current
  }

  /** Moves a skipped wall-clock time to where Java's calendar puts it; returns any other time unchanged. */
  settle(wall: number): number {
    for (const { at, before, after } of this.#stretchOf(wall).changes) {
      if (wall >= at + before && wall < at + after) return wall + after - before
    }
    return wall
  }

  /** The repeated hour that contains an instant, in its first or second pass. */
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

  /** The first instant whose offset differs from the one at `start`. */
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
