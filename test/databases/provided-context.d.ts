import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Which database the project's tests are for; undefined where a project has none, or SQLite. */
    database: 'postgresql' | 'mariadb' | undefined
    /** Where its server listens; undefined for SQLite, `missing` where it is not installed. */
    databaseUrl: string | undefined
  }
}
