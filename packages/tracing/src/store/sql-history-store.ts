import type { Clock } from '@elasticjob/core'
import { millisecondsOf, systemClock } from '@elasticjob/core/internal'

import type { Connection, Database, Dialect } from '../dialects/dialect.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import { randomName } from '../random.ts'
import { checkBatch, checkLost } from './check-record.ts'
import { cleanUp } from './clean-up.ts'
import { closeAsLost } from './close-as-lost.ts'
import { findExecutions } from './executions.ts'
import { findStatistics } from './statistics.ts'
import type {
  HistoryStore,
  RetentionOptions,
  RetentionPolicy,
  RetentionResult,
  WriteResult,
} from './history-store.ts'
import { findJobNames } from './job-names.ts'
import { historyDefaults, type HistoryOptions } from './options.ts'
import type {
  Execution,
  ExecutionFilter,
  StatisticsRequest,
  Statistics,
  LogRequest,
  Page,
  PageRequest,
  RunHistory,
  RunLog,
  StatusChange,
  StatusFilter,
  Timeline,
  TimelineRequest,
} from './queries.ts'
import type { Batch, LostRun } from './records.ts'
import { findRun, readLog } from './run-history.ts'
import { ensureIndexes, openSchema } from './schema.ts'
import { findStatusChanges } from './status-changes.ts'
import type { Tables } from './tables.ts'
import { findTimeline } from './timeline.ts'
import { writeBatch } from './write-batch.ts'

/** A history in any supported database. */
export class SqlHistoryStore implements HistoryStore {
  readonly description: string
  readonly #dialect: Dialect
  readonly #connection: Connection
  readonly #timeout: number
  readonly #clock: Clock
  /** The name under which this store takes leases. */
  readonly #name = randomName()
  #tables: Tables | undefined
  #isClosed = false

  private constructor(
    dialect: Dialect,
    connection: Connection,
    description: string,
    { timeout = historyDefaults.timeout, clock = systemClock }: HistoryOptions,
  ) {
    this.#dialect = dialect
    this.#connection = connection
    this.description = description
    this.#timeout = millisecondsOf(timeout)
    this.#clock = clock
  }

  /** Connects, finds the tables and creates missing ones. */
  static async open(
    dialect: Dialect,
    url: string,
    options: HistoryOptions,
  ): Promise<SqlHistoryStore> {
    const {
      timeout = historyDefaults.timeout,
      maxConnections = historyDefaults.maxConnections,
      create = historyDefaults.create,
    } = options
    const description = dialect.describe(url)
    const connection = await dialect
      .connect({ url, timeout: millisecondsOf(timeout), maxConnections, create })
      .catch((error: unknown) => Promise.reject(dialect.failureOf(error)))
    const store = new SqlHistoryStore(dialect, connection, description, options)
    try {
      await store.#prepare(options)
      return store
    } catch (error) {
      await store.close()
      throw error
    }
  }

  writeBatch(batch: Batch): Promise<WriteResult> {
    return this.#checked(() => {
      checkBatch(batch)
      return this.#transaction(async (db) => ({
        isNew: await writeBatch(db, this.#opened, batch, this.#clock.now()),
      }))
    })
  }

  closeAsLost(runs: readonly LostRun[]): Promise<number> {
    return this.#checked(() => {
      checkLost(runs)
      return this.#transaction((db) => closeAsLost(db, this.#opened, runs))
    })
  }

  retain(policy: RetentionPolicy, options: RetentionOptions = {}): Promise<RetentionResult> {
    return this.#checked(() =>
      cleanUp(
        {
          tables: this.#opened,
          holder: this.#name,
          now: () => this.#clock.now(),
          step: (work) => this.#transaction(work),
        },
        policy,
        options,
      ),
    )
  }

  executions(filter: ExecutionFilter = {}, page: PageRequest = {}): Promise<Page<Execution>> {
    return this.#read((db) => findExecutions(db, this.#opened, filter, page))
  }

  statusChanges(filter: StatusFilter = {}, page: PageRequest = {}): Promise<Page<StatusChange>> {
    return this.#read((db) => findStatusChanges(db, this.#opened, filter, page))
  }

  run(runId: string): Promise<RunHistory | undefined> {
    return this.#read((db) => findRun(db, this.#opened, runId))
  }

  log(runId: string, request: LogRequest = {}): Promise<RunLog> {
    return this.#read((db) => readLog(db, runId, request))
  }

  timeline(request: TimelineRequest): Promise<Timeline> {
    return this.#read((db) => findTimeline(db, this.#opened, request))
  }

  statistics(request: StatisticsRequest): Promise<Statistics> {
    return this.#read((db) => findStatistics(db, this.#opened, request))
  }

  jobNames(): Promise<readonly string[]> {
    return this.#read((db) => findJobNames(db, this.#opened))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #prepare({
    withStatusSource = historyDefaults.withStatusSource,
    create = historyDefaults.create,
    timeZone,
  }: HistoryOptions): Promise<void> {
    const options = { dialect: this.#dialect, clock: this.#clock, withStatusSource, create }
    const schema = await this.#within(() => openSchema(this.#connection.db, options))
    const expressions = this.#dialect.expressions(timeZone)
    this.#tables = { schema, expressions, writing: this.#dialect.writing }
    if (create === 'nothing') return
    try {
      await ensureIndexes(this.#connection.db, schema, options)
    } catch (error) {
      throw this.#dialect.failureOf(error)
    }
  }

  get #opened(): Tables {
    if (this.#tables === undefined) throw new Error('The store is used before it is open')
    return this.#tables
  }

  /** Turns a synchronous exception into a rejection. */
  async #checked<Result>(work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  #transaction<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    return this.#within(() => this.#connection.db.transaction().execute(work))
  }

  #read<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    return this.#within(() => work(this.#connection.db))
  }

  /** Runs one step with a timeout, which breaks its connections. */
  async #within<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new HistoryError('HISTORY_CLOSED', message('history-closed'))
    const late: { error?: HistoryError } = {}
    const timer = this.#clock.setTimer(() => {
      late.error = new HistoryError(
        'HISTORY_UNREACHABLE',
        message('history-timeout', { description: this.description, milliseconds: this.#timeout }),
      )
      this.#connection.abandon()
    }, this.#timeout)
    try {
      return await work()
    } catch (error) {
      throw late.error ?? this.#dialect.failureOf(error)
    } finally {
      timer.cancel()
    }
  }
}
