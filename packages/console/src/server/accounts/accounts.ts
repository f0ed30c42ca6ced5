/** The two accounts of the console: root operates, guest reads. */
import { createHash } from 'node:crypto'

import type { Clock, Random } from '@elasticjob/core'

import { message } from '../../message.ts'
import type { Database } from '../store/database.ts'
import { ConsoleError } from '../../errors.ts'
import { hashPassword, isOutdated, isPassword, newPassword, nobodysPassword } from './password.ts'

export type AccountRole = 'root' | 'guest'

export interface Account {
  readonly username: string
  readonly role: AccountRole
}

interface StoredAccount extends Account {
  readonly password: string
}

/** How long a verified password is not derived again, in milliseconds: HTTP Basic sends it with every request. */
const rememberedFor = 60_000
const mostRemembered = 1000

/** The effect of a start on the accounts. */
export interface EnsuredAccounts {
  /** The generated passwords by account, to be shown once. */
  readonly made: ReadonlyMap<string, string>
  /** The accounts whose password differs from the previous start. */
  readonly changed: readonly AccountRole[]
}

export class Accounts {
  readonly #database: Database
  readonly #clock: Clock
  readonly #random: Random
  readonly #proven = new Map<string, number>()

  constructor(database: Database, clock: Clock, random: Random) {
    this.#database = database
    this.#clock = clock
    this.#random = random
  }

  find(username: string): Account | undefined {
    const stored = this.#stored(username)
    return stored && { username: stored.username, role: stored.role }
  }

  /** Creates missing accounts, and sets the passwords that the console was started with. */
  async ensure(given: Readonly<Partial<Record<AccountRole, string>>>): Promise<EnsuredAccounts> {
    const made = new Map<string, string>()
    const changed: AccountRole[] = []
    for (const role of ['root', 'guest'] as const) {
      const wanted = given[role]
      if (wanted !== undefined) {
        requireUsable(role, wanted)
        if ((await this.verify(role, wanted)) !== undefined) continue
        await this.setPassword(role, wanted)
        changed.push(role)
      } else if (this.#stored(role) === undefined) {
        const password = newPassword(this.#random)
        await this.setPassword(role, password)
        made.set(role, password)
      }
    }
    return { made, changed }
  }

  /** The account, if this password was verified for it recently. */
  remembered(username: string, password: string): Account | undefined {
    const stored = this.#stored(username)
    if (stored === undefined) return undefined
    const until = this.#proven.get(proofOf(stored, password)) ?? 0
    if (until <= this.#clock.monotonic()) return undefined
    return { username: stored.username, role: stored.role }
  }

  /** The account, if the password is correct. */
  async verify(username: string, password: string): Promise<Account | undefined> {
    const stored = this.#stored(username)
    const isRight = await isPassword(password, stored?.password ?? nobodysPassword)
    if (stored === undefined || !isRight) return undefined
    if (isOutdated(stored.password)) {
      await this.setPassword(stored.role, password)
      return this.find(username)
    }
    if (this.#proven.size >= mostRemembered) this.#proven.clear()
    this.#proven.set(proofOf(stored, password), this.#clock.monotonic() + rememberedFor)
    return { username: stored.username, role: stored.role }
  }

  async setPassword(username: AccountRole, password: string): Promise<void> {
    const hash = await hashPassword(password, this.#random)
    this.#database
      .prepare(
        `insert into account (username, role, password) values (?, ?, ?)
         on conflict (username) do update set password = excluded.password`,
      )
      .run(username, username, hash)
  }

  /** Changes with every change of the password; undefined if there is no such account. */
  stampOf(username: string): string | undefined {
    return this.#stored(username)?.password
  }

  #stored(username: string): StoredAccount | undefined {
    return this.#database
      .prepare('select username, role, password from account where username = ?')
      .get(username) as StoredAccount | undefined
  }
}

function requireUsable(role: AccountRole, password: string): void {
  if (password.trim() !== '') return
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message('password-empty', { role }))
}

/** Derived from a password and its stored hash: a change of either invalidates it. */
function proofOf({ username, password: stored }: StoredAccount, password: string): string {
  return createHash('sha256').update(`${username}\0${password}\0${stored}`).digest('base64')
}
