/**
 * Limits the number of open streams: each costs memory, and one reader must not take the places of all. Some places
 * are reserved for root, however many guests there are.
 */

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

const most = 2000
/** The number of places that are reserved for root. */
const keptForRoot = 200
/** A browser has one stream for each tab. */
const mostOfSession = 30
const mostOfAddress = 300

export interface StreamReader {
  readonly role: string
  /** Undefined for a client with HTTP Basic. */
  readonly session: string | undefined
  readonly address: string
}

export class StreamPlaces {
  readonly #taken = new Map<string, number>()

  /** Takes a place; the returned function releases it. */
  take({ role, session, address }: StreamReader): () => void {
    const isRoot = role === 'root'
    const limits: readonly (readonly [key: string, limit: number])[] = [
      ['all', most],
      ...(session === undefined ? [] : ([[`session ${session}`, mostOfSession]] as const)),
      // Other clients at the same address cannot lock root out.
      ...(isRoot
        ? []
        : ([
            ['guests', most - keptForRoot],
            [`address ${address}`, mostOfAddress],
          ] as const)),
    ]
    const full = limits.find(([key, limit]) => (this.#taken.get(key) ?? 0) >= limit)
    if (full !== undefined) {
      throw new ConsoleError('CONSOLE_BUSY', message('streams-exhausted', { count: full[1] }), {
        retryAfter: 10,
      })
    }
    for (const [key] of limits) this.#add(key, 1)
    return () => {
      for (const [key] of limits) this.#add(key, -1)
    }
  }

  #add(key: string, count: number): void {
    const taken = (this.#taken.get(key) ?? 0) + count
    if (taken === 0) this.#taken.delete(key)
    else this.#taken.set(key, taken)
  }
}
