import { randomBytes } from 'node:crypto'

/** The source of randomness. Injected, so that a simulation can replay a run from its seed. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number
  /** Returns this many unpredictable bytes. */
  bytes(count: number): Uint8Array
}

/** The random numbers of the process. */
export const systemRandom: Random = Object.freeze({
  fraction: () => Math.random(),
  bytes: (count: number) => randomBytes(count),
})

/** Returns the elements in random order (Fisher-Yates). */
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

/** Returns a random version 4 UUID. */
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
