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

/** A local clock that was set differs by more than this from one that runs on. */
const jump = 500
/** The clock that counts suspensions may go in whole seconds. */
const bootStep = 1000
/** After so long a less exact sample is better than an old one: clocks drift. */
const sampleLife = 60_000

/**
 * The registry's time, which is the one that all instances share: local time and the difference to it
 * that the modification times of our own writes show.
 */
export class RegistryTime {
  readonly #clock: Clock
  #sample: Sample | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    if (this.#sample === undefined) return this.#clock.now()
    return Math.floor(this.#local(this.#sample) + this.#sample.offset)
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

  /** A write that began then, by the local clock, got this modification time and is answered now. */
  observe(modified: number, begun: number): void {
    const wall = this.#clock.now()
    const took = wall - begun
    const last = this.#sample
    const isFresh = last !== undefined && wall - last.wall < sampleLife && wall >= last.wall
    if (took < 0 || (isFresh && took > last.uncertainty)) return
    this.#sample = {
      offset: modified - (begun + took / 2),
      uncertainty: took,
      wall,
      monotonic: this.#clock.monotonic(),
      boot: this.#clock.boot(),
    }
  }
}
