import type { Clock, Duration } from '@elasticjob/core'

export type Creation = 'file' | 'tables' | 'nothing'

/** Options of a history. */
export interface HistoryOptions {
  /**
   * The database: `sqlite:` and a file path, or `postgresql://` or `mysql://` (also for MariaDB) with user,
   * password, host, port and database name. Options of the drivers, such as `?sslmode=require` or `?ssl={}`,
   * may follow.
   * @default 'sqlite:elasticjob-history.db'
   */
  readonly url?: string
  /**
   * How long one step may take before it is aborted together with its connection.
   * @default '10s'
   */
  readonly timeout?: Duration
  /**
   * The maximum number of connections. SQLite uses one.
   * @default 3
   */
  readonly maxConnections?: number
  /**
   * The time zone of Java's tables in PostgreSQL, which store local time without a zone: the zone of the Java
   * processes, such as `Asia/Shanghai`. Not needed for MySQL and SQLite.
   * @default the zone of this process
   */
  readonly timeZone?: string
  /**
   * Whether a missing status table is created with the column `source`: ElasticJob up to 3.0.4 cannot write
   * without it, later versions cannot write with it.
   * @default false
   */
  readonly withStatusSource?: boolean
  /**
   * What may be created: `file` for a missing SQLite file and for tables; `tables` for tables in an existing
   * database; `nothing` for read-only use.
   * @default 'file'
   */
  readonly create?: Creation
  /**
   * The source of time, for tests.
   * @default the system clock
   */
  readonly clock?: Clock
}

/** The defaults of `HistoryOptions`. */
export const historyDefaults: Readonly<
  Required<Pick<HistoryOptions, 'url' | 'maxConnections' | 'withStatusSource' | 'create'>> & {
    timeout: number
  }
> = Object.freeze({
  url: 'sqlite:elasticjob-history.db',
  timeout: 10_000,
  maxConnections: 3,
  withStatusSource: false,
  create: 'file',
})
