/**
 * A history of so many runs within the last thirty days, made inside the database: a quarter of them by one
 * busy job, which of ten millions is one that runs every second; the rest by two hundred others, one in a
 * hundred failed. Indexes are made when all rows are in.
 */
import { createRequire } from 'node:module'

import { openHistory } from '@elasticjob/tracing'

/** The drivers are the package's own. */
const load = createRequire(new URL('../../packages/tracing/package.json', import.meta.url))

const span = 30 * 86_400_000
const chunk = 500_000
/** Of a hundred runs, how many the busy job has. */
const busyShare = 26

interface Filling {
  /** Runs statements, one after the other. */
  run(statement: string): Promise<void>
  /** The statements that make the indexes that are no keys. */
  indexes(): Promise<readonly (readonly [name: string, statement: string])[]>
  /** The runs from one number to another as a table `t`. */
  source(from: number, to: number): string
  /** What a server does by itself in the days in which so much comes together. */
  readonly settle: readonly string[]
  readonly truth: (condition: string) => string
  readonly time: (column: string) => string
  close(): Promise<void>
}

/** Returns the time of its newest run. */
export async function fill(url: string, runs: number): Promise<number> {
  await (await openHistory({ url })).close()
  const newest = Date.now()
  const filling = url.startsWith('sqlite:')
    ? fillSqlite(url, newest, runs)
    : await fillPostgreSql(url, newest, runs)
  const indexes = await filling.indexes()
  for (const [name] of indexes) await filling.run(`drop index ${name}`)
  for (let at = 0; at < runs; at += chunk) {
    await filling.run(filling.source(at, Math.min(at + chunk, runs)))
    for (const statement of statementsOf(filling)) await filling.run(statement)
    await filling.run('drop table t')
  }
  for (const [, statement] of indexes) await filling.run(statement)
  for (const statement of filling.settle) await filling.run(statement)
  await filling.close()
  return newest
}

function statementsOf({ truth, time }: Filling): readonly string[] {
  const task = `job || '@-@0@-@READY@-@10.0.0.1@-@1'`
  const spanClass = (column: string): string =>
    `case when ${column} < 1 then 0 else 1 + cast(round(ln(${column}) / ln(1.02)) as integer) end`
  return [
    `insert into JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item,
      execution_source, failure_cause, is_success, start_time, complete_time)
    select id, job, ${task}, 'host-' || (i % 20), '10.0.0.' || (i % 20), i % 10, 'NORMAL_TRIGGER',
      case when failed = 1 then 'Error: it failed' end, ${truth('failed = 0')},
      ${time('st')}, ${time('st + dur')} from t`,
    `insert into elasticjob_run (run_id, job_name, sharding_item, instance, source, fire_time,
      attempt, retries, fencing_token, lateness, lateness_class, start_time, complete_time,
      duration, duration_class, outcome)
    select id, job, i % 10, '10.0.0.1@-@1', 'cron', st - late, 1, 0, i, late, ${spanClass('late')},
      st, st + dur, dur, ${spanClass('dur')},
      case when failed = 1 then 'failure' else 'success' end from t`,
    `insert into JOB_STATUS_TRACE_LOG (id, job_name, original_task_id, task_id, slave_id,
      execution_type, sharding_item, state, message, creation_time)
    select id, job, '', ${task}, '10.0.0.1', 'READY', '[0]', 'TASK_FINISHED', '', ${time('st')}
    from t where i % 5 = 0`,
  ]
}

interface SqliteFile {
  exec(statement: string): void
  prepare(statement: string): { all(): readonly unknown[] }
  close(): void
}

function fillSqlite(url: string, newest: number, runs: number): Filling {
  const Sqlite = load('libsql') as new (path: string) => SqliteFile
  const file = new Sqlite(url.replace(/^sqlite:/, ''))
  // Nobody else is there, and whoever crashes begins anew.
  for (const setting of ['journal_mode = off', 'synchronous = off', 'locking_mode = exclusive'])
    file.exec(`pragma ${setting}`)
  // Keys by chance come at all places of their index: it has to be in memory.
  file.exec('pragma cache_size = -1500000')
  file.exec('pragma temp_store = memory')
  const chance = (of: number): string => `abs(random()) % ${of}`
  return {
    run: async (statement) => file.exec(statement),
    indexes: async () =>
      (
        file
          .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
          .all() as readonly { name: string; sql: string }[]
      ).map(({ name, sql }) => [name, sql]),
    source: (from, to) => `create temp table t as
      with recursive s(i) as (select ${from} union all select i + 1 from s where i < ${to - 1})
      select i, hex(randomblob(8)) as id,
        case when i % 100 < ${busyShare} then 'hot' else 'job-' || (${chance(200)}) end as job,
        ${newest - span} + cast(i * ${span / runs} as integer) as st,
        ${chance(400)} + ${chance(100)} as dur, ${chance(30)} as late,
        ${chance(100)} = 0 as failed from s`,
    // It does nothing by itself.
    settle: [],
    truth: (condition) => condition,
    time: (column) => column,
    close: async () => file.close(),
  }
}

interface PgClient {
  connect(): Promise<void>
  query(statement: string): Promise<{ rows: readonly Readonly<Record<string, string>>[] }>
  end(): Promise<void>
}

async function fillPostgreSql(url: string, newest: number, runs: number): Promise<Filling> {
  const { Client } = load('pg') as { Client: new (options: object) => PgClient }
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
  const chance = (of: number): string => `floor(random() * ${of})::int`
  return {
    run: async (statement) => void (await client.query(statement)),
    indexes: async () => {
      const { rows } = await client.query(
        `select indexname, indexdef from pg_indexes where schemaname = 'public'
          and indexname like 'elasticjob%' and indexname not like '%pkey'`,
      )
      return rows.map(({ indexname = '', indexdef = '' }) => [indexname, indexdef])
    },
    source: (from, to) => `create temp table t as
      select i, substr(md5(random()::text), 1, 16) || i as id,
        case when i % 100 < ${busyShare} then 'hot' else 'job-' || ${chance(200)} end as job,
        ${newest - span} + (i::float8 * ${span / runs})::bigint as st,
        ${chance(400)} + ${chance(100)} as dur, ${chance(30)} as late,
        case when random() < 0.01 then 1 else 0 end as failed
      from generate_series(${from}, ${to - 1}) i`,
    settle: ['vacuum analyze'],
    truth: (condition) => `(${condition})`,
    time: (column) => `(to_timestamp((${column}) / 1000.0) at time zone '${zone()}')`,
    close: () => client.end(),
  }
}

/** The zone in which this process, and so its history, writes. */
function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
