import type { Clock } from '@elasticjob/zookeeper'

/** How a history is opened. */
export interface HistoryOptions {
  /**
   * Which database: `sqlite:` and the path of a file, `postgresql://` or `mysql://` (for MariaDB, too)
   * with user, password, host, port and the name of a database. What the drivers of the latter two know
   * more, such as `?sslmode=require` or `?ssl={}`, goes behind it.
   * @default 'sqlite:elasticjob-history.db'
   */
  readonly url?: string
  /**
   * How long one step may take, in milliseconds, before it is given up and its connection with it.
   * @default 10,000
   */
  readonly timeout?: number
  /**
   * How many connections there may be at once. SQLite has one.
   * @default 3
   */
  readonly maxConnections?: number
  /**
   * The time zone that Java's tables in PostgreSQL are written in, which keep a wall clock's time and
   * not its zone: that of the Java processes, such as `Asia/Shanghai`. MySQL and SQLite need none.
   * @default the zone of this process
   */
  readonly timeZone?: string
  /**
   * Whether a status table that does not exist is made with the column `source`, without which
   * ElasticJob up to 3.0.4 cannot write to it, and with which later ones cannot.
   * @default false
   */
  readonly withStatusSource?: boolean
  /**
   * Where time comes from; tests bring their own.
   * @default the clock of this machine
   */
  readonly clock?: Clock
}

export const historyDefaults: Readonly<
  Required<Pick<HistoryOptions, 'url' | 'timeout' | 'maxConnections' | 'withStatusSource'>>
> = Object.freeze({
  url: 'sqlite:elasticjob-history.db',
  timeout: 10_000,
  maxConnections: 3,
  withStatusSource: false,
})
