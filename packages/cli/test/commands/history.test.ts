import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { elasticjob, type Finished, RunningCommand } from '../support/command-line.ts'

let server: RunningServer
let directory: string

/** A run as `--json` tells of it. */
interface Row {
  readonly id: string
  readonly jobName: string
  readonly shardingItem: number
  readonly outcome: string
  readonly source: string
  readonly failureCause?: string
  readonly startTime: string
  readonly details: { readonly fireTime: string; readonly fencingToken: string }
}

const here = (...args: string[]): Promise<Finished> => elasticjob(args, { cwd: directory })

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await here(...args, '--json')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** Two jobs that have run a few times, by a process that has ended. */
beforeAll(async () => {
  server = await startServer({ port: 0 })
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  writeFileSync(join(directory, 'greet.mjs'), "console.log('hello\\nworld')\n")
  writeFileSync(join(directory, 'fail.mjs'), "console.error('no')\nprocess.exitCode = 3\n")
  writeFileSync(
    join(directory, 'elasticjob.yaml'),
    `
registry:
  servers: ${server.connectString}
  namespace: history
tracing:
  url: sqlite:history.db
jobs:
  greet:
    jobType: SCRIPT
    cron: '* * * * * ?'
    shardingTotalCount: 2
    props:
      script.command.line: ${process.execPath} greet.mjs
  fail:
    jobType: SCRIPT
    cron: '* * * * * ?'
    shardingTotalCount: 1
    props:
      script.command.line: ${process.execPath} fail.mjs
`,
  )
  const command = new RunningCommand(['run', 'elasticjob.yaml', '--verbose'], { cwd: directory })
  // The second time: the runs of the first have ended by then, and were not stopped in the middle.
  await command.line(/hello/, 4)
  await command.line(/exit code 3/, 2)
  // Whoever hears of it has to wait for no more: what waits is written before the process ends.
  await command.stop()
}, 60_000)

afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true })
})

describe('history', () => {
  test('shows runs from the newest to the oldest', async () => {
    const { code, stdout } = await here('history')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^STARTED +JOB +SHARD +SERVER +OUTCOME +TOOK +LATE +BY +RUN +CAUSE$/m)
    expect(stdout).toMatch(/ greet +1 .* success .* schedule /)
    expect(stdout).toMatch(/ fail +0 .* failure .* ScriptError: .*exit code 3/)
    const starts = [...stdout.matchAll(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) /gm)].map(
      ([, at = '']) => at,
    )
    expect(starts).toEqual(starts.toSorted().toReversed())
  })

  test('those that are asked for', async () => {
    const { rows } = await json<{ rows: Row[] }>('history', '--outcome', 'failure,lost')
    expect(new Set(rows.map(({ jobName }) => jobName))).toEqual(new Set(['fail']))
    const shard = await json<{ rows: Row[] }>(
      'history',
      'greet',
      '--shard',
      '1',
      '--source',
      'cron',
    )
    expect(shard.rows.length).toBeGreaterThan(0)
    expect(shard.rows.every((row) => row.jobName === 'greet' && row.shardingItem === 1)).toBe(true)
    expect((await json<{ rows: Row[] }>('history', '--until', '1d')).rows).toEqual([])
    expect((await json<{ rows: Row[] }>('history', '--server', '192.0.2.77')).rows).toEqual([])
  })

  test('page by page', async () => {
    const all = await json<{ rows: Row[] }>('history')
    const seen: string[] = []
    let cursor: string[] = []
    for (let page = 0; page < 50; page++) {
      const { rows, next } = await json<{ rows: Row[]; next?: string }>(
        'history',
        '--limit',
        '2',
        ...cursor,
      )
      seen.push(...rows.map(({ id }) => id))
      if (next === undefined) break
      cursor = ['--cursor', next]
    }
    expect(seen).toEqual(all.rows.map(({ id }) => id))
    expect((await here('history', '--limit', '1')).stderr).toMatch(/^For more, add --cursor \S+$/m)
  })

  test('one run, with its attempts and why it failed', async () => {
    const { rows } = await json<{ rows: [Row] }>('history', 'fail', '--limit', '1')
    const { stdout } = await here('history', `--run=${rows[0].id}`)
    expect(stdout).toMatch(/^Job +fail, shard 0$/m)
    expect(stdout).toMatch(/^Fencing token +\d+$/m)
    expect(stdout).toMatch(/its last words:\n +no/)
    expect((await here('history', '--run', 'nobody')).code).toBe(3)
  })

  test('states as Java records them', async () => {
    const { stdout } = await here('history', 'greet', '--shard', '0', '--states')
    for (const state of ['TASK_STAGING', 'TASK_RUNNING', 'TASK_FINISHED']) {
      expect(stdout).toContain(state)
    }
  })

  test('statistics of a job', async () => {
    const { total } = await json<{ total: { runs: number; failures: number } }>(
      'history',
      'fail',
      '--statistics',
      'minute',
    )
    expect(total.runs).toBeGreaterThan(0)
    expect(total.failures).toBe(total.runs)
    expect((await here('history', 'fail', '--statistics', 'hour')).stdout).toMatch(/TOOK p99/)
    expect((await here('history', '--statistics', 'hour')).code).toBe(2)
  })

  test('other commands read the same file', async () => {
    expect((await here('jobs', '-q')).stdout).toBe('fail\ngreet\n')
  })

  test('nothing of the kind is said, and is no failure', async () => {
    const { code, stdout, stderr } = await here('history', 'unheard-of')
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe('No matching runs are recorded.\n')
  })
})

describe('logs', () => {
  test('what the last runs of a job have written', async () => {
    const { code, stdout } = await here('logs', 'greet')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d 0 {2}hello$/m)
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d 1 {2}world$/m)
  })

  test('of one shard or one run, for programs', async () => {
    const { rows } = await json<{ rows: [Row] }>('history', 'greet', '--shard', '1', '--limit', '1')
    const { stdout } = await here('logs', 'greet', `--run=${rows[0].id}`, '--json')
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { jobName: 'greet', shardingItem: 1, runId: rows[0].id, stream: 'info', line: 'hello' },
      { line: 'world' },
    ])
    expect((await here('logs', 'greet', '--shard', '1')).stdout).not.toMatch(/ 0 {2}hello/)
  })

  test('of a job that never ran', async () => {
    const { code, stderr } = await here('logs', 'unheard-of')
    expect(code).toBe(3)
    expect(stderr).toMatch(/no run of job 'unheard-of' is recorded/)
  })

  test('goes on with what is written from now on', async () => {
    const follow = new RunningCommand(['logs', 'greet', '--follow', '--json'], { cwd: directory })
    follow.ownedByTest()
    const last = JSON.parse(await follow.line(/hello/)) as { runId: string }
    const worker = new RunningCommand(['run', 'elasticjob.yaml'], { cwd: directory })
    worker.ownedByTest()
    const next = await follow.line(new RegExp(`^(?!.*${last.runId}).*"hello"`))
    expect(JSON.parse(next)).toMatchObject({ jobName: 'greet', line: 'hello' })
    await worker.stop()
    expect(await follow.stop('SIGINT')).toMatchObject({ code: 0 })
  })
})
