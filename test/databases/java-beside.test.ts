/** Java's tracing and ours write into the same tables at the same time. */
import { once } from 'node:events'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { ElasticJob } from '@elasticjob/core'
import { type HistoryStore, openHistory, startTracing } from '@elasticjob/tracing'
import { startServer } from '@elasticjob/zookeeper-server'
import { describe, expect, inject, test } from 'vitest'

import { eventually } from '../zookeeper/harness/eventually.ts'
import { exited } from '../zookeeper/harness/owned-process.ts'
import { javaTracingAvailable, spawnJavaTracing } from './java-tracing.ts'

const server = inject('databaseUrl') ?? 'missing'
const isMySql = server.startsWith('mysql')

const executionColumns = [
  'id',
  'job_name',
  'task_id',
  'hostname',
  'ip',
  'sharding_item',
  'execution_source',
  'failure_cause',
  'is_success',
  'start_time',
  'complete_time',
]
const statusColumns = [
  'id',
  'job_name',
  'original_task_id',
  'task_id',
  'slave_id',
  'source',
  'execution_type',
  'sharding_item',
  'state',
  'message',
  'creation_time',
]

type Row = Readonly<Record<string, string | number | boolean | null>>

// Java has no tracing for SQLite.
describe.skipIf(server === 'missing' || !javaTracingAvailable())('beside real Java', () => {
  test.for([
    ['tables that Java has made', 'java_first'],
    ['tables that we have made', 'ours_first'],
  ] as const)('both write into %s, and their rows are alike', async ([, name]) => {
    const url = await createDatabase(name)
    if (name === 'ours_first') await (await openHistory({ url, withStatusSource: true })).close()
    await using registry = await startServer({ port: 0 })
    const servers = `127.0.0.1:${registry.port}`
    const java = await spawnJavaTracing('run', { url, user: userOf(url) }, [servers, 'java-job'])
    try {
      const output = java.stdout
      if (output === null) throw new Error('Java has no output')
      await once(output, 'data')
      await using jobs = await ElasticJob.connect({ servers, namespace: 'databases' })
      const tracing = startTracing(jobs, { url })
      await jobs.schedule(
        {
          jobName: 'our-job',
          cron: '0/1 * * * * ?',
          shardingTotalCount: 3,
          jobErrorHandlerType: 'IGNORE',
        },
        ({ shardingItem }) => {
          if (shardingItem === 1) throw new Error('it failed')
        },
      )
      const history = await tracing.history()
      for (const jobName of ['java-job', 'our-job']) await haveRun(history, jobName)
      expect(await shapesOf(url, 'JOB_EXECUTION_LOG', executionColumns, 'our-job')).toEqual(
        await shapesOf(url, 'JOB_EXECUTION_LOG', executionColumns, 'java-job'),
      )
      expect(await shapesOf(url, 'JOB_STATUS_TRACE_LOG', statusColumns, 'our-job')).toEqual(
        await shapesOf(url, 'JOB_STATUS_TRACE_LOG', statusColumns, 'java-job'),
      )
      const { rows } = await history.executions({ jobName: 'java-job', outcomes: ['failure'] })
      expect(rows[0]).toMatchObject({ shardingItem: 1, source: 'cron', details: undefined })
      expect(Math.abs((rows[0]?.startTime ?? 0) - Date.now())).toBeLessThan(3_600_000)
    } finally {
      java.stdin?.end()
      await exited(java)
    }
  })
})

/** Some runs of every shard have ended, and statuses of every kind are there. */
async function haveRun(history: HistoryStore, jobName: string): Promise<void> {
  await eventually(
    async () => {
      const failed = await history.executions({ jobName, outcomes: ['failure'] })
      const succeeded = await history.executions({ jobName, outcomes: ['success'] })
      const statuses = await history.statusChanges({ jobName, states: ['TASK_ERROR'] })
      return (
        (failed.rows.length > 1 && succeeded.rows.length > 3 && statuses.rows.length > 1) ||
        undefined
      )
    },
    { what: `runs of ${jobName}`, timeoutMs: 90_000 },
  )
}

/** The kinds of rows that a job has, each once. Runs that go on are none: a moment later they are gone. */
async function shapesOf(
  url: string,
  table: string,
  columns: readonly string[],
  jobName: string,
): Promise<readonly string[]> {
  const pairs = columns.map((column) => `'${column}', ${column}`).join(', ')
  const rows = isMySql
    ? await run(
        url,
        `select json_arrayagg(json_object(${pairs})) from ${table} where job_name = '${jobName}'`,
      )
    : await run(
        url,
        `select json_agg(json_build_object(${pairs})) from ${table} where job_name = '${jobName}'`,
      )
  const shapes = (JSON.parse(rows) as readonly Row[])
    .filter((row) => row['complete_time'] !== null)
    // On a busy machine either of them is late at times.
    .filter((row) => row['execution_source'] !== 'MISFIRE')
    // With one shard each or with all of them, ours and Java's tasks end as their shards do.
    .filter((row) => row['state'] !== 'TASK_FINISHED')
    .map((row) => JSON.stringify(columns.map((column) => [column, shapeOf(column, row[column])])))
  return [...new Set(shapes)].toSorted()
}

function shapeOf(column: string, value: Row[string] | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'string') return column === 'is_success' ? String(value) : typeof value
  if (value === '') return 'empty'
  if (/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/.test(value)) return 'time'
  if (/^\[(\d+(, \d+)*)?\]$/.test(value)) return 'list'
  if (['execution_source', 'source', 'execution_type', 'state'].includes(column)) return value
  return column.endsWith('task_id') ? `${value.split('@-@').length} parts` : 'text'
}

async function createDatabase(name: string): Promise<string> {
  await run(server, `create database ${name}`)
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

function userOf(url: string): string {
  return new URL(url).username
}

/** By the program that comes with the server: past everything that is tested here. */
async function run(url: string, statement: string): Promise<string> {
  const { hostname, port, username, pathname } = new URL(url)
  const [program, ...args] = isMySql
    ? [
        'mariadb',
        '-h',
        hostname,
        '-P',
        port,
        '-u',
        username,
        '-N',
        '-B',
        '-r',
        '-e',
        statement,
        pathname.slice(1),
      ]
    : ['psql', '-At', '-c', statement, url]
  const { stdout } = await promisify(execFile)(program, args)
  return stdout.trim()
}
