import type { Clock } from '../clock.ts'

/** What one answered write of ours says about the registry's clock. */
interface Sample {
  /** Registry time minus local time. */
  readonly offset: number
  /** How long the write took: the offset is right to half of it. */
  readonly uncertainty: number
  readonly wall: number
  readonly monotonic: number
  readonly boot: number
}

/** Between what the difference to the registry's clock lies. */
interface Bounds {
  readonly least: number
  readonly most: number
}

/** One moment, by the clock that may be set and by the one that cannot. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/** A local clock that was set differs by more than this from one that runs on. */
const jump = 500
/** The clock that counts suspensions may go in whole seconds. */
const bootStep = 1000
/**
 * The answer to a write counts as no longer under way than this. The registry's time is known to half of what the
 * write took, and the rest of a slow write is counted as time before it was carried out: then runs start late rather
 * than early.
 */
const longestAnswer = 50
/** After so long a less exact sample is better than an old one: clocks drift. */
const sampleLife = 60_000
/** By so much clocks drift within that time; two samples that differ by more speak of different clocks. */
const drift = 50

/**
 * The registry's time, which is the one that all instances share: local time and the difference to it
 * that the modification times of our own writes show.
 */
export class RegistryTime {
  readonly #clock: Clock
  #sample: Sample | undefined
  /** When the last write began that has shown it, by the clock that cannot be set. */
  #shownAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    if (this.#sample === undefined) return this.#clock.now()
    return Math.floor(this.#local(this.#sample) + this.#sample.offset)
  }

  /** How long ago a write has shown it, in milliseconds. */
  get age(): number {
    return this.#shownAt === undefined ? Infinity : this.#clock.monotonic() - this.#shownAt
  }

  /** The local clock, as it would show the time had nobody set it since the sample. */
  #local({ wall: wallThen, monotonic, boot }: Sample): number {
    const wall = this.#clock.now()
    const awake = this.#clock.monotonic() - monotonic
    if (Math.abs(wall - wallThen - awake) <= jump) return wall
    const elapsed = this.#clock.boot() - boot
    if (elapsed - awake <= bootStep) return wallThen + awake
    // The machine was suspended: then the local clock is right to be ahead by that.
    return Math.abs(wall - wallThen - elapsed) <= jump + bootStep ? wall : wallThen + elapsed
  }

  /** A write that began then got this modification time and is answered now. */
  observe(modified: number, begun: Moment): void {
    const { wall, monotonic } = momentOf(this.#clock)
    const took = monotonic - begun.monotonic
    // The clock was set, or the machine suspended, while the write was under way: it says nothing then.
    if (Math.abs(wall - begun.wall - took) > jump) return
    this.#shownAt = begun.monotonic
    const least = modified - wall
    const most = modified - begun.wall
    const likely = least + Math.min(took / 2, longestAnswer)
    // Clocks that cannot be told apart are taken as one: a run must not begin before its time by the clock
    // that its code reads, not by a millisecond either.
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

  /** Clocks drift: whatever write was the most exact, the difference lies where the last write allows it to. */
  #bound({ least, most }: Bounds): void {
    const last = this.#sample
    if (last === undefined) return
    const offset = Math.min(Math.max(last.offset, least), most)
    if (offset !== last.offset) this.#sample = { ...last, offset }
  }

  /** Whether what is known is more exact than a write that took so long, and still holds. */
  #isBetter({ least, most }: Bounds, took: number, wall: number, monotonic: number): boolean {
    const last = this.#sample
    if (last === undefined || took <= last.uncertainty) return false
    // The registry's clock was set, or another server with another clock writes the times now.
    const play = last.uncertainty / 2 + drift
    if (last.offset < least - play || last.offset > most + play) return false
    const age = monotonic - last.monotonic
    return age < sampleLife && Math.abs(wall - last.wall - age) <= jump
  }
}
