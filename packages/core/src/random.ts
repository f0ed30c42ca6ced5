import { randomBytes, randomFillSync } from 'node:crypto'

/** The source of randomness. Injected, so that a simulation can replay a run from its seed. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number
  /** Returns this many unpredictable bytes. */
  bytes(count: number): Uint8Array
}

/** How many bytes are drawn at once: drawing a few costs as much as drawing thousands. */
const drawnAhead = 4096
/** Larger requests bypass the pool. */
const few = 64

class BytesAhead {
  readonly #drawn = new Uint8Array(drawnAhead)
  #used = drawnAhead

  take(count: number): Uint8Array {
    if (count > few) return randomBytes(count)
    const begin = this.#used + count > drawnAhead ? this.#draw() : this.#used
    this.#used = begin + count
    const bytes = this.#drawn.slice(begin, this.#used)
    // Erases used bytes, so that they cannot be read from memory later.
    this.#drawn.fill(0, begin, this.#used)
    return bytes
  }

  #draw(): number {
    randomFillSync(this.#drawn)
    return 0
  }
}

const ahead = new BytesAhead()

/** The random numbers of the process. */
export const systemRandom: Random = Object.freeze({
  fraction: () => Math.random(),
  bytes: (count: number) => ahead.take(count),
})
