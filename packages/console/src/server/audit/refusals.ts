/**
 * Counts refused requests without a login. Any client can send such requests, as many as it likes: they are counted
 * by address and ten minutes in a separate, bounded table, so that they cannot displace entries of the audit log.
 */
import type { Clock } from '@elasticjob/core'

import type { RefusalEntry } from '../../contract/audit.ts'
import type { Database } from '../store/database.ts'

export interface Refusal {
  readonly address: string
  readonly action: string
  readonly code: string
  /** The account that was tried; empty if none was named. */
  readonly username: string
}

const interval = 600_000
/** The maximum number of addresses with rows of their own within an interval. */
const mostAddresses = 200
/** The maximum number of rows; the oldest are deleted first. */
const kept = 10_000
const usualLimit = 50
const longestName = 100

export class Refusals {
  readonly #database: Database
  readonly #clock: Clock
  #began = -1
  readonly #addresses = new Set<string>()

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  count({ address, action, code, username }: Refusal): void {
    const now = this.#clock.now()
    const began = now - (now % interval)
    if (began !== this.#began) this.#begin(began)
    const isKnown = this.#addresses.has(address) || this.#addresses.size < mostAddresses
    if (isKnown) this.#addresses.add(address)
    this.#database
      .prepare(
        `insert into refusal (began, address, action, code, count, last, username)
         values (?, ?, ?, ?, 1, ?, ?)
         on conflict (began, address, action, code)
         do update set count = count + 1, last = excluded.last, username = excluded.username`,
      )
      .run(
        began,
        isKnown ? address.slice(0, longestName) : 'others',
        action,
        code,
        now,
        username.slice(0, longestName),
      )
  }

  /** Newest first. */
  list(limit: number = usualLimit): RefusalEntry[] {
    return this.#database
      .prepare(
        `select began, last, address, action, code, count, username from refusal
         order by began desc, last desc limit ?`,
      )
      .all(limit) as RefusalEntry[]
  }

  #begin(began: number): void {
    this.#began = began
    this.#addresses.clear()
    this.#database
      .prepare(
        `delete from refusal where rowid not in
           (select rowid from refusal order by began desc, last desc limit ?)`,
      )
      .run(kept)
  }
}
