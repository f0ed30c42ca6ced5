/**
 * The addresses from which an account has logged in: wrong passwords from other addresses do not delay these. Stored
 * in the file, so that a restart during an attack does not lock users out.
 */
import type { Clock } from '@elasticjob/core'

import type { Database } from '../store/database.ts'

/** How long an address is known after its last login, in milliseconds. */
const remembered = 90 * 86_400_000
/** The minimum interval between two writes for one address. */
const renewedAfter = 3_600_000
const mostAddresses = 1000

export class KnownAddresses {
  readonly #database: Database
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  has(username: string, address: string): boolean {
    return this.#clock.now() - this.#last(username, address) < remembered
  }

  /** Records a login of the account from an address. */
  add(username: string, address: string): void {
    const now = this.#clock.now()
    if (now - this.#last(username, address) < renewedAfter) return
    this.#database
      .prepare(
        `insert into known_address (username, address, last) values (?, ?, ?)
         on conflict (username, address) do update set last = excluded.last`,
      )
      .run(username, address, now)
    this.#database
      .prepare(
        `delete from known_address where username = ? and address not in
           (select address from known_address where username = ? order by last desc limit ?)`,
      )
      .run(username, username, mostAddresses)
  }

  #last(username: string, address: string): number {
    const found = this.#database
      .prepare('select last from known_address where username = ? and address = ?')
      .get(username, address) as { last: number } | undefined
    return found?.last ?? -Infinity
  }
}
