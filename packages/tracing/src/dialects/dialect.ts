/** The differences between databases. Each dialect has a folder with the same files. */
import type { Clock } from '@elasticjob/core'
import type { Kysely, RawBuilder } from 'kysely'

import type { HistoryError } from '../errors.ts'
import type { TextLimits, TimeLimits } from '../store/clean.ts'
import type { Creation } from '../store/options.ts'

/** Table names are found at run time, so there is no static type. */
export type Database = Kysely<Record<string, never>>

export interface ConnectOptions {
  readonly url: string
  readonly timeout: number
  readonly maxConnections: number
  /** What may be created; everything if absent. */
  readonly create?: Creation
}

/** A connection pool, or a single connection. */
export interface Connection {
  readonly db: Database
  /** Breaks all pending statements, whose outcome stays unknown. The next caller gets a new connection. */
  abandon(): void
  close(): Promise<void>
}

export interface Column {
  /** The database's name of the type, in lower case. */
  readonly type: string
  readonly text: TextLimits
}

/** An existing table, with its actual name and columns. */
export interface FoundTable {
  readonly name: string
  /** By name, in lower case. */
  readonly columns: ReadonlyMap<string, Column>
}

/** Java's two tables, as found. */
export interface JavaTables {
  readonly executions: FoundTable
  readonly statuses: FoundTable
}

export interface Migration {
  /** Increases from 1; a released version never changes. */
  readonly version: number
  /** Must be repeatable: a process may die in between, and not every database rolls back schema changes. */
  readonly statements: readonly string[]
}

/** An index of ours on a table of Java's. */
export interface Index {
  readonly name: string
  readonly statements: readonly RawBuilder<unknown>[]
}

/** The values of some columns, in order. */
export type Row = readonly (string | number | null)[]

export interface Insertion {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** How a newer row completes an existing one. */
export interface Completion extends Insertion {
  /** The key column of the row. */
  readonly key: string
  /** The columns that a complete row replaces. */
  readonly completed: readonly string[]
  /** A column that has a value only in a complete row. */
  readonly endsWith: string
}

/** SQL expressions of the dialect. */
export interface Expressions {
  /** The range of a time column in Java's tables. */
  readonly times: TimeLimits
  /** A time as a parameter for such a column. */
  readonly time: (milliseconds: number) => string | number
  /** Such a column as a number, for `timeOf`. */
  readonly readTime: (column: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly timeOf: (value: unknown) => number
  /** Whether a column equals this text exactly, regardless of the collation. */
  readonly isText: (column: RawBuilder<unknown>, text: string) => RawBuilder<boolean>
  /** The condition that `r` is the details row of the execution `e`. */
  readonly isDetailOfExecution: RawBuilder<boolean>
  /** An integer rounded down to a multiple. */
  readonly floor: (column: RawBuilder<unknown>, multiple: number) => RawBuilder<number>
  /** The comma-separated values of a column in a group; null becomes an empty entry. */
  readonly list: (column: RawBuilder<unknown>) => RawBuilder<string | null>
  /** An integer that may exceed JavaScript's range, as text. */
  readonly digits: (column: RawBuilder<unknown>) => RawBuilder<string | null>
}

/** How rows are written. */
export interface Writing {
  /** Inserts rows, and skips those with an existing key. Returns the number of new rows. */
  readonly insertNew: (db: Database, insertion: Insertion) => Promise<number>
  /** Inserts rows, and completes existing rows by complete ones. */
  readonly insertOrComplete: (db: Database, completion: Completion) => Promise<void>
}

export interface JavaTableOptions {
  /** Whether the status table has the column `source`, as in versions up to 3.0.4. */
  readonly withSource: boolean
}

export interface Dialect {
  /** Its name in messages. */
  readonly product: string
  /** The database, without a password. */
  readonly describe: (url: string) => string
  readonly connect: (options: ConnectOptions) => Promise<Connection>
  /** Converts a driver's error. */
  readonly failureOf: (error: unknown) => HistoryError
  /** Finds a table by its case-insensitive name; undefined if it is absent. */
  readonly findTable: (db: Database, name: string) => Promise<FoundTable | undefined>
  /** Java's tables with their indexes, as Java creates them. */
  readonly executionTable: () => readonly string[]
  readonly statusTable: (options: JavaTableOptions) => readonly string[]
  /** The indexes that our queries need, for the tables as found. */
  readonly indexesOf: (tables: JavaTables) => readonly Index[]
  readonly findIndexes: (db: Database, table: string) => Promise<ReadonlySet<string>>
  readonly migrations: readonly Migration[]
  /** Runs an action that only one process at a time may run. */
  readonly withSchemaLock: <Result>(
    db: Database,
    clock: Clock,
    work: (db: Database) => Promise<Result>,
  ) => Promise<Result>
  readonly expressions: (timeZone: string | undefined) => Expressions
  readonly writing: Writing
}
