import { describe, expect, test } from 'vitest'

import { batch, batchOf, chunk, assignment, execution, run, status } from './support/records.ts'
import { createAsJava, hasSource, shapes, writeAsJava } from './support/java-shapes.ts'
import { dialect, product, TestDatabase } from './support/test-database.ts'

/** A literal for a time, as Java's driver on a machine of this zone writes it. */
function literal(milliseconds: number): string {
  const value = dialect.expressions(undefined).time(assignment + milliseconds)
  return typeof value === 'number' ? String(value) : `'${value}'`
}

interface ColumnFacts {
  readonly name: string
  readonly type: string
  readonly length: number | undefined
}

async function columnsOf(database: TestDatabase, name: string): Promise<readonly ColumnFacts[]> {
  const connection = await dialect.connect({
    url: database.url,
    timeout: 10_000,
    maxConnections: 1,
  })
  const table = await dialect.findTable(connection.db, name)
  await connection.close()
  return [...(table?.columns ?? [])].map(([column, { type, text }]) => ({
    name: column,
    type: type === 'integer' ? 'int' : type,
    length: text.length,
  }))
}

describe('missing tables', () => {
  test("are created with Java's columns", async () => {
    await using ours = await TestDatabase.create()
    await using javas = await TestDatabase.create()
    await ours.open()
    await createAsJava(javas, '3.0.5')
    for (const name of ['JOB_EXECUTION_LOG', 'JOB_STATUS_TRACE_LOG']) {
      const made = await columnsOf(ours, name)
      expect(made.length).toBeGreaterThan(9)
      expect(made).toEqual(await columnsOf(javas, name))
    }
  })

  test('have the column of older versions if requested', async () => {
    await using ours = await TestDatabase.create()
    await using javas = await TestDatabase.create()
    await ours.open({ withStatusSource: true })
    await createAsJava(javas, '3.0.4')
    const name = 'JOB_STATUS_TRACE_LOG'
    expect(await columnsOf(ours, name)).toEqual(await columnsOf(javas, name))
  })

  test('are created once by concurrent processes', async () => {
    await using database = await TestDatabase.create()
    const stores = await Promise.all(Array.from({ length: 5 }, () => database.open()))
    await Promise.all(
      stores.map((store, index) =>
        store.writeBatch({ ...batchOf([{ id: `run-${index}` }]), writer: `writer-${index}` }),
      ),
    )
    expect((await stores[0]?.executions())?.rows).toHaveLength(5)
    const versions = await database.query('select version from elasticjob_migration')
    expect(versions).toHaveLength(dialect.migrations.length)
  })
})

describe('our own tables', () => {
  test('are found again with their content', async () => {
    await using database = await TestDatabase.create()
    const first = await database.open()
    await first.writeBatch(batchOf([{ id: 'run-1' }]))
    await first.close()
    const second = await database.open()
    expect((await second.executions()).rows).toMatchObject([{ id: 'run-1' }])
  })

  test('of a newer version are refused', async () => {
    await using database = await TestDatabase.create()
    await database.open()
    await database.query('insert into elasticjob_migration (version, applied_at) values (999, 0)')
    await expect(database.open()).rejects.toMatchObject({ code: 'HISTORY_SCHEMA_NEWER' })
  })

  test('are completed if a process died while it created them', async () => {
    await using database = await TestDatabase.create()
    await database.open()
    await database.query('drop table elasticjob_run_log')
    await database.query('delete from elasticjob_migration')
    const store = await database.open()
    await store.writeBatch(batch({ logs: [chunk()] }))
    expect((await store.log('run-1')).chunks).toHaveLength(1)
  })
})

describe.for(shapes)("Java's tables of the shape %s", (shape) => {
  test('are used as they are', async () => {
    await using database = await TestDatabase.create()
    await createAsJava(database, shape)
    const before = await columnsOf(database, 'JOB_STATUS_TRACE_LOG')
    const store = await database.open()
    const written = batch({
      executions: [execution(), execution({ id: 'run-2', isSuccess: false, failureCause: 'why' })],
      runs: [run(), run({ runId: 'run-2', outcome: 'failure' })],
      statuses: [status(), status({ id: 'status-2', creationTime: assignment + 1000 })],
    })
    await store.writeBatch(written)
    await store.writeBatch(batchOf([{ id: 'run-3', at: 5000, outcome: undefined }]))
    await store.writeBatch(batchOf([{ id: 'run-3', at: 5000, outcome: 'lost' }]))
    const { rows } = await store.executions()
    expect(rows.map(({ outcome }) => outcome).toSorted()).toEqual(['failure', 'lost', 'success'])
    expect((await store.statusChanges()).rows.map(({ id }) => id)).toEqual(['status-2', 'status-1'])
    expect(await columnsOf(database, 'JOB_STATUS_TRACE_LOG')).toEqual(before)
    const sources = hasSource(shape)
      ? await database.query('select distinct source from JOB_STATUS_TRACE_LOG')
      : []
    expect(sources).toEqual(hasSource(shape) ? [{ source: 'LITE_EXECUTOR' }] : [])
  })

  test('may hold rows of Java and of this product', async () => {
    await using database = await TestDatabase.create()
    await createAsJava(database, shape)
    await writeAsJava(database, shape, literal)
    const store = await database.open()
    await store.writeBatch(batchOf([{ id: 'ours', at: 60_000, lasts: 4000 }]))
    expect((await store.executions()).rows).toMatchObject([
      { id: 'ours', outcome: 'success', details: { attempt: 1 } },
      { id: 'java-end-only', outcome: 'failure', failureCause: 'java.lang.Error' },
      { id: 'java-running', outcome: 'running', duration: undefined },
      { id: 'java-failure', outcome: 'failure', duration: 1000 },
      {
        id: 'java-success',
        outcome: 'success',
        source: 'cron',
        startTime: assignment,
        completeTime: assignment + 3000,
        duration: 3000,
        details: undefined,
      },
    ])
    const found = async (filter: object): Promise<readonly string[]> =>
      (await store.executions(filter)).rows.map(({ id }) => id)
    expect(await found({ outcomes: ['failure'] })).toEqual(['java-end-only', 'java-failure'])
    expect(await found({ outcomes: ['running'] })).toEqual(['java-running'])
    expect(await found({ sources: ['cron'], address: 'java-host' })).toHaveLength(4)
    expect(await found({ sources: ['trigger'] })).toEqual([])
    expect((await store.run('java-success'))?.attempts).toHaveLength(1)
    const { total } = await store.statistics({
      jobName: 'sync-orders',
      from: assignment,
      to: assignment + 3_600_000,
      step: 'hour',
    })
    expect(total).toMatchObject({
      runs: 5,
      failures: 2,
      outcomes: { success: 2, failure: 2, running: 1 },
      duration: { count: 3 },
      lateness: { count: 1 },
    })
    await store.retain({ count: 1 })
    expect(await found({})).toEqual(['ours'])
  })
})

test("a table of the same name that is not ElasticJob's is refused", async () => {
  await using database = await TestDatabase.create()
  const name = product === 'postgresql' ? 'job_execution_log' : 'JOB_EXECUTION_LOG'
  await database.query(`create table ${name} (id int, job_name varchar(10))`)
  await expect(database.open()).rejects.toMatchObject({
    code: 'HISTORY_SCHEMA_UNKNOWN',
    message: expect.stringContaining('has no column task_id, hostname') as string,
  })
})

test("queries have their indexes on Java's tables, whoever created those", async () => {
  await using database = await TestDatabase.create()
  await createAsJava(database, '3.0.5')
  await Promise.all([database.open(), database.open()])
  const connection = await dialect.connect({
    url: database.url,
    timeout: 10_000,
    maxConnections: 1,
  })
  const names = await Promise.all(
    ['JOB_EXECUTION_LOG', 'JOB_STATUS_TRACE_LOG'].map((table) =>
      dialect.findIndexes(connection.db, product === 'postgresql' ? table.toLowerCase() : table),
    ),
  )
  await connection.close()
  const ours = names.flatMap((found) => [...found]).filter((name) => name.startsWith('elasticjob'))
  expect(ours).toHaveLength(6)
})
