/** The sessions of users. Stored in the file, so that they survive a restart; a token is stored as a hash only. */
import { createHash, timingSafeEqual } from 'node:crypto'

import type { Clock, Random } from '@elasticjob/core'

import type { Database } from '../store/database.ts'

export interface Session {
  readonly username: string
  /** The token that every request except GET has to send. */
  readonly csrf: string
  readonly expires: number
}

/** How long a session lasts after its last use, in milliseconds. */
const lifetime = 12 * 3_600_000
/** The minimum interval between two writes of the expiry. */
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

  /** Returns the token, which is stored in the cookie only. */
  open(username: string): { readonly token: string; readonly session: Session } {
    const token = this.#secret()
    const session = { username, csrf: this.#secret(), expires: this.#clock.now() + lifetime }
    this.#database.prepare('delete from session where expires < ?').run(this.#clock.now())
    this.#database
      .prepare('insert into session (token, username, csrf, expires) values (?, ?, ?, ?)')
      .run(hashOf(token), username, session.csrf, session.expires)
    return { token, session }
  }

  /** Undefined for an unknown or expired session; each use extends the session. */
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

  /** Ends all sessions of an account except one. */
  closeOthers(username: string, token: string | undefined): void {
    this.#database
      .prepare('delete from session where username = ? and token <> ?')
      .run(username, token === undefined ? '' : hashOf(token))
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(tokenBytes)).toString('base64url')
  }
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
