import { randomBytes, randomFillSync } from 'node:crypto'

/** Where chance comes from. Injected, so that a simulation can replay a run from its seed. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number
  /** So many bytes that nobody can guess. */
  bytes(count: number): Uint8Array
}

/** How many bytes are drawn ahead of their use: asking for a few costs as much as asking for thousands. */
const drawnAhead = 4096
/** More than this at once is drawn for itself. */
const few = 64

class BytesAhead {
  readonly #drawn = new Uint8Array(drawnAhead)
  #used = drawnAhead

  take(count: number): Uint8Array {
    if (count > few) return randomBytes(count)
    const begin = this.#used + count > drawnAhead ? this.#draw() : this.#used
    this.#used = begin + count
    const bytes = this.#drawn.slice(begin, this.#used)
    // Whoever looks into the memory later finds nothing that was given away.
    this.#drawn.fill(0, begin, this.#used)
    return bytes
  }

  #draw(): number {
    randomFillSync(this.#drawn)
    return 0
  }
}

const ahead = new BytesAhead()

/** The machine's own randomness. */
export const systemRandom: Random = Object.freeze({
  fraction: () => Math.random(),
  bytes: (count: number) => ahead.take(count),
})

/** The elements in an order of chance (Fisher and Yates). */
export function shuffled<T>(elements: readonly T[], random: Random): T[] {
  const result = [...elements]
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random.fraction() * (i + 1))
    const moved = result[i] as T
    result[i] = result[j] as T
    result[j] = moved
  }
  return result
}

/** A random identifier in the form of a version 4 UUID. */
export function uuid(random: Random): string {
  const bytes = Buffer.from(random.bytes(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}
