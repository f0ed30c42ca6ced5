/** What one database does otherwise than the others. Each has a folder with the same files in it. */
import type { Clock } from '@elasticjob/zookeeper'
import type { Kysely, RawBuilder } from 'kysely'

import type { HistoryError } from '../errors.ts'
import type { TextLimits, TimeLimits } from '../store/clean.ts'

/** Tables are found at run time, so there is no type to know them by. */
export type Database = Kysely<Record<string, never>>

export interface ConnectOptions {
  readonly url: string
  readonly timeout: number
  readonly maxConnections: number
}

/** A pool of connections, or the one that there is. */
export interface Connection {
  readonly db: Database
  /**
   * Breaks whatever is under way: nobody knows when its answer would have come. New connections are
   * made for whoever asks next.
   */
  abandon(): void
  close(): Promise<void>
}

export interface Column {
  /** As the database calls it, in small letters. */
  readonly type: string
  readonly text: TextLimits
}

/** A table that is there, with the name and the columns that it has. */
export interface FoundTable {
  readonly name: string
  /** By name, in small letters. */
  readonly columns: ReadonlyMap<string, Column>
}

/** Java's two tables, as they are here. */
export interface JavaTables {
  readonly executions: FoundTable
  readonly statuses: FoundTable
}

export interface Migration {
  /** Counts up from 1; a version that was released never changes. */
  readonly version: number
  /** May run twice: a process may die between them, and not every database takes that back. */
  readonly statements: readonly string[]
}

/** An index of ours on a table of Java's. */
export interface Index {
  readonly name: string
  readonly statements: readonly RawBuilder<unknown>[]
}

/** Some values of columns, in their order. */
export type Row = readonly (string | number | null)[]

export interface Insertion {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** What a row that was there already is told by its newer self. */
export interface Completion extends Insertion {
  /** The column that identifies a row. */
  readonly key: string
  /** The columns that a complete row replaces. */
  readonly completed: readonly string[]
  /** The column that only a complete row has a value in. */
  readonly endsWith: string
}

/** How SQL says something here. */
export interface Expressions {
  /** What a column of time in Java's tables can hold. */
  readonly times: TimeLimits
  /** A time as a parameter for such a column. */
  readonly time: (milliseconds: number) => string | number
  /** Such a column as a number, for `timeOf`. */
  readonly readTime: (column: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly timeOf: (value: unknown) => number
  /** Whether a column holds exactly this text, whatever the collation thinks of it. */
  readonly isText: (column: RawBuilder<unknown>, text: string) => RawBuilder<boolean>
  /** The details of the execution `e`, which are called `r`. */
  readonly isDetailOfExecution: RawBuilder<boolean>
  /** A whole number rounded down to a multiple. */
  readonly floor: (column: RawBuilder<unknown>, multiple: number) => RawBuilder<number>
  /** The values of a column in all rows of a group, with commas between them; nothing stands for null. */
  readonly list: (column: RawBuilder<unknown>) => RawBuilder<string | null>
  /** A whole number that may be greater than JavaScript's, as a text. */
  readonly digits: (column: RawBuilder<unknown>) => RawBuilder<string | null>
}

/** How rows get into tables here. */
export interface Writing {
  /** Adds rows; those whose key is there already are left as they are. Returns how many were new. */
  readonly insertNew: (db: Database, insertion: Insertion) => Promise<number>
  /** Adds rows, and completes those that are there by those that are complete. */
  readonly insertOrComplete: (db: Database, completion: Completion) => Promise<void>
}

export interface JavaTableOptions {
  /** Whether the status table has the column of versions up to 3.0.4. */
  readonly withSource: boolean
}

export interface Dialect {
  /** In the words of messages. */
  readonly product: string
  /** The database, without a password. */
  readonly describe: (url: string) => string
  readonly connect: (options: ConnectOptions) => Promise<Connection>
  /** What a driver's error means. */
  readonly failureOf: (error: unknown) => HistoryError
  /** A table by its name in whatever case; undefined where there is none. */
  readonly findTable: (db: Database, name: string) => Promise<FoundTable | undefined>
  /** Java's tables with their indexes, as Java makes them. */
  readonly executionTable: () => readonly string[]
  readonly statusTable: (options: JavaTableOptions) => readonly string[]
  /** The indexes that queries of ours need, in the tables as they are. */
  readonly indexesOf: (tables: JavaTables) => readonly Index[]
  readonly findIndexes: (db: Database, table: string) => Promise<ReadonlySet<string>>
  readonly migrations: readonly Migration[]
  /** Does something that one process at a time may do. */
  readonly withSchemaLock: <Result>(
    db: Database,
    clock: Clock,
    work: (db: Database) => Promise<Result>,
  ) => Promise<Result>
  readonly expressions: (timeZone: string | undefined) => Expressions
  readonly writing: Writing
}
