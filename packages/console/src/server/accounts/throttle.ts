/** Throttles password guessing: after some wrong passwords the next attempt has to wait, longer each time. */
import type { Clock } from '@elasticjob/core'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

/** The number of wrong passwords before the first wait. */
const freeAttempts = 5
const firstWait = 1000
const longestWait = 300_000
/** How long after the last wrong password the counter is reset, in milliseconds. */
const forgottenAfter = 3_600_000
/** The maximum number of counters; the oldest are dropped, so that an attack cannot fill the memory. */
const kept = 10_000
/** The maximum number of queued attempts; further attempts are refused. */
const mostWaiting = 100

interface Guesses {
  readonly wrong: number
  readonly last: number
}

export class Throttle {
  readonly #clock: Clock
  readonly #guesses = new Map<string, Guesses>()
  /** Attempts from a known address do not queue behind those from unknown addresses. */
  readonly #queues = { known: new Queue(), unknown: new Queue() }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Verifies one password at a time: concurrent attempts would all be verified before the first wrong one counts, and
   * each verification keeps a processor busy.
   */
  async attempt<T>(
    keys: readonly string[],
    verify: () => Promise<T | undefined>,
    queue: 'known' | 'unknown' = 'unknown',
  ): Promise<T | undefined> {
    return this.#queues[queue].run(() => this.#judge(keys, verify))
  }

  async #judge<T>(
    keys: readonly string[],
    verify: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    this.#check(keys)
    const found = await verify()
    if (found === undefined) this.#wrong(keys)
    else for (const key of keys) this.#guesses.delete(key)
    return found
  }

  /** Throws while one of the keys has to wait. */
  #check(keys: readonly string[]): void {
    const now = this.#clock.monotonic()
    for (const key of keys) {
      const known = this.#guesses.get(key)
      if (known === undefined) continue
      const left = known.last + waitAfter(known.wrong) - now
      if (left <= 0) continue
      const retryAfter = Math.ceil(left / 1000)
      throw new ConsoleError(
        'CONSOLE_THROTTLED',
        message('login-throttled', { seconds: retryAfter }),
        { retryAfter },
      )
    }
  }

  #wrong(keys: readonly string[]): void {
    const now = this.#clock.monotonic()
    for (const key of keys) {
      const known = this.#guesses.get(key)
      const isOld = known === undefined || now - known.last > forgottenAfter
      this.#guesses.delete(key)
      this.#guesses.set(key, { wrong: isOld ? 1 : known.wrong + 1, last: now })
    }
    for (const oldest of this.#guesses.keys()) {
      if (this.#guesses.size <= kept) break
      this.#guesses.delete(oldest)
    }
  }
}

/** Runs one task at a time, with a limited queue. */
class Queue {
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= mostWaiting) {
      throw new ConsoleError('CONSOLE_BUSY', message('login-busy'), {
        retryAfter: 5,
      })
    }
    this.#waiting += 1
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    try {
      return await turn
    } finally {
      this.#waiting -= 1
    }
  }
}

function waitAfter(wrong: number): number {
  return wrong < freeAttempts ? 0 : Math.min(firstWait * 2 ** (wrong - freeAttempts), longestWait)
}
