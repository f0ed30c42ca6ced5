import type { Clock } from '../clock.ts'

/** A sample of the registry's clock, from one answered write of this process. */
interface Sample {
  /** Registry time minus local time. */
  readonly offset: number
  /** How long the write took: the offset is exact to half of it. */
  readonly uncertainty: number
  readonly wall: number
  readonly monotonic: number
  readonly boot: number
}

/** The bounds of the difference to the registry's clock. */
interface Bounds {
  readonly least: number
  readonly most: number
}

/** One moment, by the wall clock, which can be set, and by the monotonic clock, which cannot. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/** A larger deviation than this means that the local clock was set. */
const jump = 500
/** The boot clock, which counts suspensions, may advance in whole seconds. */
const bootStep = 1000
/**
 * The assumed maximum time that the answer to a write takes. The registry's time is known to half of what the write
 * took. The rest of a slow write counts as time before the registry carried it out, so that runs start late rather than
 * early.
 */
const longestAnswer = 50
/** After this time a less exact sample is better than an old one: clocks drift. */
const sampleLife = 60_000
/** How much clocks drift within that time; two samples that differ by more come from different clocks. */
const drift = 50

/**
 * The registry's time, which all instances share: local time plus the offset that the modification times of this
 * process's own writes show.
 */
export class RegistryTime {
  readonly #clock: Clock
  #sample: Sample | undefined
  /** When the last write that gave a sample began, by the monotonic clock. */
  #shownAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    if (this.#sample === undefined) return this.#clock.now()
    return Math.floor(this.#local(this.#sample) + this.#sample.offset)
  }

  /** How long ago a write gave a sample, in milliseconds. */
  get age(): number {
    return this.#shownAt === undefined ? Infinity : this.#clock.monotonic() - this.#shownAt
  }

  /** The local time, corrected for changes of the clock since the sample. */
  #local({ wall: wallThen, monotonic, boot }: Sample): number {
    const wall = this.#clock.now()
    const awake = this.#clock.monotonic() - monotonic
    if (Math.abs(wall - wallThen - awake) <= jump) return wall
    const elapsed = this.#clock.boot() - boot
    if (elapsed - awake <= bootStep) return wallThen + awake
    // The machine was suspended: then the local clock is rightly ahead by that time.
    return Math.abs(wall - wallThen - elapsed) <= jump + bootStep ? wall : wallThen + elapsed
  }

  /** Takes a sample from a write that started at `begun`, got this modification time, and is answered now. */
  observe(modified: number, begun: Moment): void {
    const { wall, monotonic } = momentOf(this.#clock)
    const took = monotonic - begun.monotonic
    // The clock was set, or the machine suspended, during the write: the sample is useless.
    if (Math.abs(wall - begun.wall - took) > jump) return
    this.#shownAt = begun.monotonic
    const least = modified - wall
    const most = modified - begun.wall
    const likely = least + Math.min(took / 2, longestAnswer)
    // Clocks that cannot be told apart count as equal: a run must not start before its fire time, not even by a
    // millisecond, by the clock that its code reads.
    const mayAgree = least <= 0 && most >= 0
    const isExact = took / 2 <= longestAnswer
    const offset = mayAgree ? Math.min(isExact ? 0 : likely, 0) : likely
    if (this.#isBetter({ least, most }, took, wall, monotonic)) {
      this.#bound({ least, most })
      return
    }
    this.#sample = {
      offset,
      uncertainty: took,
      wall,
      monotonic,
      boot: this.#clock.boot(),
    }
  }

  /** Clocks drift: however exact an earlier write was, the offset has to lie within the bounds of the last one. */
  #bound({ least, most }: Bounds): void {
    const last = this.#sample
    if (last === undefined) return
    const offset = Math.min(Math.max(last.offset, least), most)
    if (offset !== last.offset) this.#sample = { ...last, offset }
  }

  /** Whether the known sample is more exact than a write that took this long, and still valid. */
  #isBetter({ least, most }: Bounds, took: number, wall: number, monotonic: number): boolean {
    const last = this.#sample
    if (last === undefined || took <= last.uncertainty) return false
    // The registry's clock was set, or a server with another clock now writes the times.
    const play = last.uncertainty / 2 + drift
    if (last.offset < least - play || last.offset > most + play) return false
    const age = monotonic - last.monotonic
    return age < sampleLife && Math.abs(wall - last.wall - age) <= jump
  }
}
