/** The default registry and data source of each user. */
import type { Database } from '../store/database.ts'

export interface Choice {
  readonly registry: string | undefined
  readonly source: string | undefined
}

export class Choices {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  of(username: string): Choice {
    const found = this.#database
      .prepare('select registry, source from choice where username = ?')
      .get(username) as { registry: string | null; source: string | null } | undefined
    return { registry: found?.registry ?? undefined, source: found?.source ?? undefined }
  }

  choose(username: string, what: 'registry' | 'source', name: string): void {
    this.#database
      .prepare(
        `insert into choice (username, ${what}) values (?, ?)
         on conflict (username) do update set ${what} = excluded.${what}`,
      )
      .run(username, name)
  }
}
