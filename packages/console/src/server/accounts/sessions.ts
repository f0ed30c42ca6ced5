/** Who is logged in. Kept in the file, so that a restart logs nobody out; of a token only its hash. */
import { createHash, timingSafeEqual } from 'node:crypto'

import type { Clock, Random } from '@elasticjob/core'

import type { Database } from '../store/database.ts'

export interface Session {
  readonly username: string
  /** What has to come with everything but a GET. */
  readonly csrf: string
  readonly expires: number
}

/** How long a session lasts after it was last used, in milliseconds. */
const lifetime = 12 * 3_600_000
/** It is not written down more often than that. */
const renewedAfter = 300_000
const tokenBytes = 32

export class Sessions {
  readonly #database: Database
  readonly #clock: Clock
  readonly #random: Random

  constructor(database: Database, clock: Clock, random: Random) {
    this.#database = database
    this.#clock = clock
    this.#random = random
  }

  /** The token goes into the cookie, and nowhere else. */
  open(username: string): { readonly token: string; readonly session: Session } {
    const token = this.#secret()
    const session = { username, csrf: this.#secret(), expires: this.#clock.now() + lifetime }
    this.#database.prepare('delete from session where expires < ?').run(this.#clock.now())
    this.#database
      .prepare('insert into session (token, username, csrf, expires) values (?, ?, ?, ?)')
      .run(hashOf(token), username, session.csrf, session.expires)
    return { token, session }
  }

  /** Undefined if there is none, or it is over; one that is used lasts longer. */
  find(token: string): Session | undefined {
    const hash = hashOf(token)
    const found = this.#database
      .prepare('select username, csrf, expires from session where token = ?')
      .get(hash) as Session | undefined
    const now = this.#clock.now()
    if (found === undefined || found.expires <= now) return undefined
    if (found.expires - now > lifetime - renewedAfter) return found
    const expires = now + lifetime
    this.#database.prepare('update session set expires = ? where token = ?').run(expires, hash)
    return { ...found, expires }
  }

  close(token: string): void {
    this.#database.prepare('delete from session where token = ?').run(hashOf(token))
  }

  /** Ends all sessions of an account but one. */
  closeOthers(username: string, token: string | undefined): void {
    this.#database
      .prepare('delete from session where username = ? and token <> ?')
      .run(username, token === undefined ? '' : hashOf(token))
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(tokenBytes)).toString('base64url')
  }
}

/** Takes as long for a near miss as for any other. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
