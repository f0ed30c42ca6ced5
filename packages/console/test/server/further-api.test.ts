/** What the console can beyond that of 2.x. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openHistory } from '@elasticjob/tracing'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { routes } from '../../src/contract/routes.ts'
import { LiveReader } from '../support/live-reader.ts'
import { Shop } from '../support/shop.ts'

let shop: Shop
let folder: string
const started = Date.parse('2026-03-01T10:00:00Z')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'elasticjob-console-'))
  const url = `sqlite:${join(folder, 'history.db')}`
  await using history = await openHistory({ url })
  await history.writeBatch({
    writer: 'test',
    sequence: 1,
    executions: [
      {
        id: 'run-1',
        jobName: 'orders',
        taskId: 'orders@-@0@-@READY@-@10.0.0.1@-@1',
        hostname: 'one',
        ip: '10.0.0.1',
        shardingItem: 0,
        source: 'NORMAL_TRIGGER',
        startTime: started,
        completeTime: started + 500,
        isSuccess: false,
        failureCause: 'Error: no stock',
      },
    ],
    statuses: [],
    runs: [
      {
        runId: 'run-1',
        jobName: 'orders',
        shardingItem: 0,
        instance: '10.0.0.1@-@1',
        source: 'cron',
        fireTime: started,
        attempt: 1,
        retries: 0,
        manualRun: undefined,
        fencingToken: 1_234_567_890_123_456_789n,
        startTime: started,
        lateness: 3,
        completeTime: started + 500,
        duration: 500,
        outcome: 'failure',
      },
    ],
    logs: [{ runId: 'run-1', sequence: 0, time: started, stream: 'info', text: 'looking' }],
    lost: [],
  })
  shop = await Shop.open({ dataSources: [{ name: 'history', url }] })
  await shop.work('10.0.0.1')
  for (const jobName of ['orders', 'stock']) await shop.schedule({ jobName })
  await shop.shows('stock', ({ status }) => status === 'OK')
  await shop.shows('orders', ({ status }) => status === 'OK')
}, 60_000)

afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

it('knows runs from before it looked', async () => {
  const { recent } = await shop.shows('orders', (job) => job.recent.length > 0)
  expect(recent).toMatchObject([{ runId: 'run-1', shard: 0, outcome: 'failure' }])
})

it('pauses and resumes', async () => {
  await shop.root.post('/jobs/orders/pause')
  expect((await shop.guest.get('/jobs?search=orders')).body).toMatchObject([{ state: 'paused' }])
  await shop.root.delete('/jobs/orders/pause')
  await shop.root.post('/servers/10.0.0.1/pause')
  expect((await shop.guest.get('/servers')).body).toMatchObject([{ pausedJobsNum: 2 }])
  await shop.root.delete('/servers/10.0.0.1/pause')
})

it('reshards, and stops what runs', async () => {
  expect((await shop.root.post('/jobs/orders/reshard')).body).toMatchObject({ action: 'reshard' })
  const { status, body } = await shop.root.post('/jobs/orders/sharding/0/stop')
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: { code: 'JOB_SHARD_IDLE' } })
})

it('does the same to many jobs, and names those it could not be done to', async () => {
  const { body } = await shop.root.post('/jobs/bulk', {
    action: 'pause',
    jobs: ['orders', 'nothing', 'a/b', 'stock'],
  })
  expect(routes.bulk.answer.parse(body).results).toMatchObject([
    {
      jobName: 'orders',
      result: {
        done: [{ messageParts: { code: 'job-paused', parameters: { jobName: 'orders' } } }],
      },
    },
    {
      jobName: 'nothing',
      error: { code: 'JOB_NOT_FOUND', messageParts: { parameters: { jobName: 'nothing' } } },
    },
    { jobName: 'a/b', error: { code: 'CONSOLE_INPUT_INVALID' } },
    { jobName: 'stock', result: { action: 'pause' } },
  ])
  await shop.root.post('/jobs/bulk', { action: 'resume', jobs: ['orders', 'stock'] })
})

it('describes a job, its health and its tree', async () => {
  const detail = routes.showJob.answer.parse((await shop.guest.get('/jobs/orders/detail')).body)
  expect(detail.shards).toHaveLength(3)
  const doctor = await shop.guest.get('/jobs/orders/doctor')
  expect(routes.diagnoseJob.answer.parse(doctor.body)).toMatchObject({ healthy: true })
  // Its English is beside it, and not sent twice.
  expect(doctor.body).toMatchObject({ messageParts: { code: expect.any(String) as string } })
  expect(JSON.stringify(doctor.body)).not.toContain('"text"')
  expect((await shop.guest.get('/doctor')).body).toHaveLength(2)
  const dump = (await shop.guest.get('/jobs/orders/dump')).body as string
  expect(dump).toContain('/orders/config | ')
  expect(dump).not.toContain('10.0.0.1')
})

it('checks a change before it is made', async () => {
  const path = '/jobs/orders/configuration'
  const check = async (changes: unknown): Promise<unknown> =>
    (await shop.root.post(`${path}/check`, { changes })).body
  expect(await check({ shardingTotalCount: 5 })).toMatchObject({
    problems: [],
    changes: [{ key: 'shardingTotalCount', from: 3, to: 5, takesEffect: 'resharding' }],
    before: expect.stringContaining('shardingTotalCount: 3') as string,
    after: expect.stringContaining('shardingTotalCount: 5') as string,
  })
  expect(await check({ cron: 'x', shardingTotalCount: 0 })).toMatchObject({
    problems: [
      {
        key: 'shardingTotalCount',
        message: 'it must be a whole number from 1 to 10000, not 0',
        messageParts: {
          code: 'value-mismatch',
          parameters: {
            expected: { code: 'kind-shard-count', parameters: { most: 10_000 } },
            actual: '0',
          },
        },
      },
      { key: 'cron', messageParts: { code: 'keyed-problem' } },
    ],
    changes: [],
  })
  expect(await check({ props: { 'retry.times': 'x' } })).toMatchObject({
    problems: [
      { key: 'retry.times', messageParts: { parameters: { least: 0, most: 1000, text: 'x' } } },
    ],
  })
  const { body } = await shop.root.get(path)
  const { version } = routes.showConfiguration.answer.parse(body)
  const changed = await shop.root.put(path, { changes: { timeZone: 'Asia/Shanghai' }, version })
  expect(changed.body).toMatchObject({ changes: [{ key: 'timeZone', takesEffect: 'now' }] })
  expect((await shop.root.put(path, { changes: { description: 'x' }, version })).status).toBe(409)
  const taken = await shop.root.put(path, { changes: { timeZone: null } })
  expect(taken.body).toMatchObject({ changes: [{ key: 'timeZone', from: 'Asia/Shanghai' }] })
})

it('shows secrets of a configuration to root alone, and only when root asks for them', async () => {
  const path = '/jobs/stock/configuration'
  const props = { 'dingtalk.webhook': 'https://example/hidden', plain: 'seen' }
  await shop.root.put(path, { changes: { props } })
  for (const asked of [path, '/jobs/stock/detail', '/jobs/config/stock', '/jobs/stock/dump']) {
    for (const visitor of [shop.guest, shop.root]) {
      const messageParts = JSON.stringify((await visitor.get(asked)).body)
      expect(messageParts).toContain('seen')
      expect(messageParts).not.toContain('hidden')
    }
  }
  const revealed = await shop.root.post(`${path}/reveal`)
  expect(revealed.body).toMatchObject({ configuration: { props } })
  expect((await shop.guest.post(`${path}/reveal`)).status).toBe(403)
})

it('keeps a secret that is sent back as it was shown, and refuses a mask elsewhere', async () => {
  const path = '/jobs/stock/configuration'
  const secrets = { 'dingtalk.webhook': 'https://example/hidden', 'db.passwd': 'x' }
  const jobParameter = 'from mysql://me:hidden@db/x'
  await shop.root.put(path, { changes: { jobParameter, props: { ...secrets, plain: 'seen' } } })
  const { configuration } = routes.showConfiguration.answer.parse((await shop.root.get(path)).body)
  const settings = (await shop.root.get('/jobs/config/stock')).body as object
  const props = { ...configuration.props, plain: 'changed' }
  const changes = { jobParameter: configuration.jobParameter, props }
  const check = await shop.root.post(`${path}/check`, { changes })
  expect(check.body).toMatchObject({ changes: [{ key: 'props' }], problems: [] })
  expect((await shop.root.put(path, { changes })).status).toBe(200)
  expect((await shop.root.put('/jobs/config', { ...settings, version: undefined })).status).toBe(
    200,
  )
  expect((await shop.root.post(`${path}/reveal`)).body).toMatchObject({
    configuration: { jobParameter, props: { ...secrets, plain: 'seen' } },
  })
  const moved = { changes: { jobParameter: 'from mysql://******@elsewhere/x' } }
  expect((await shop.root.put(path, moved)).status).toBe(422)
  expect((await shop.root.post(`${path}/check`, moved)).body).toMatchObject({
    problems: [{ key: 'jobParameter' }],
  })
})

it('answers no guess of a guest at a secret', async () => {
  const changes = { props: { 'db.passwd': 'x' } }
  expect((await shop.guest.post('/jobs/stock/configuration/check', { changes })).status).toBe(403)
})

it('says what a cron expression means', async () => {
  const ask = async (query: string): Promise<unknown> =>
    (await shop.guest.get(`/cron?${query}`)).body
  const noon = encodeURIComponent('0 0 12 * * ?')
  expect(await ask(`expression=${noon}&timeZone=Asia/Shanghai&count=2&after=0`)).toMatchObject({
    timeZone: 'Asia/Shanghai',
    fires: [14_400_000, 100_800_000],
  })
  expect(await ask('expression=odd')).toMatchObject({
    fires: [],
    problem: {
      message: expect.stringContaining('odd') as string,
      messageParts: {
        code: 'cron-invalid',
        parameters: { expression: '"odd"', reason: { parameters: { wanted: { parameters: {} } } } },
      },
    },
  })
})

it('tells what ran', async () => {
  const window = `from=${started - 1000}&to=${started + 3_600_000}`
  const { body } = await shop.guest.get('/history/executions?jobName=orders&outcome=failure')
  expect(routes.listExecutions.answer.parse(body).rows).toMatchObject([
    { id: 'run-1', outcome: 'failure', details: { fencingToken: '1234567890123456789' } },
  ])
  expect((await shop.guest.get('/history/executions?outcome=odd')).status).toBe(400)
  expect((await shop.guest.get('/history/jobs')).body).toEqual(['orders'])
  const statistics = await shop.guest.get(`/history/statistics?jobName=orders&step=hour&${window}`)
  expect(routes.showRunStatistics.answer.parse(statistics.body).total).toMatchObject({
    runs: 1,
    failures: 1,
  })
  const timeline = await shop.guest.get(`/history/timeline?${window}`)
  expect(routes.showTimeline.answer.parse(timeline.body).runs).toHaveLength(1)
  const run = await shop.guest.get('/history/runs/run-1')
  expect(routes.showRun.answer.parse(run.body).attempts).toHaveLength(1)
  const log = await shop.guest.get('/history/runs/run-1/log')
  expect(routes.showLog.answer.parse(log.body).chunks).toMatchObject([{ text: 'looking' }])
  expect((await shop.guest.get('/history/runs/nothing')).status).toBe(404)
})

it('tells what ran as 2.x asks for it', async () => {
  const query = 'per_page=10&page=1&sort=startTime&order=DESC&startTime=2026-03-01+00:00:00'
  const { body } = await shop.guest.get(`/event-trace/execution?${query}&isSuccess=false`)
  expect(routes.traceExecutions.answer.parse(body)).toMatchObject({
    total: 1,
    rows: [{ jobName: 'orders', ip: '10.0.0.1', failureCause: 'Error: no stock' }],
  })
  expect((await shop.guest.get('/event-trace/execution?sort=ip')).status).toBe(400)
  expect((await shop.guest.get('/event-trace/status')).body).toEqual({ total: 0, rows: [] })
})

it('follows a run and its log', async () => {
  const live = await LiveReader.open(shop.guest, 'run=run-1')
  expect(await live.until('run')).toMatchObject({ history: { execution: { id: 'run-1' } } })
  expect(await live.until('log')).toMatchObject({ chunks: [{ text: 'looking' }] })
  await live.close()
})

it('asks an instance for a dump only where the registry lists one', async () => {
  const { status, body } = await shop.root.post('/servers/10.0.0.1/9888/jobs/orders/dump')
  expect(status).toBe(403)
  expect(body).toMatchObject({ error: { code: 'CONSOLE_DUMP_REFUSED' } })
  const elsewhere = await shop.root.post('/servers/169.254.169.254/80/jobs/orders/dump')
  expect(elsewhere.status).toBe(403)
})

it('writes down who did what, with the configuration before and after', async () => {
  await shop.root.put('/jobs/orders/configuration', { changes: { description: 'by night' } })
  await shop.guest.post('/jobs/orders/disable')
  const { body } = await shop.root.get('/audit?jobName=orders&limit=2')
  const { rows, next } = routes.listAudit.answer.parse(body)
  expect(rows).toMatchObject([
    { action: 'disableJob', username: 'guest', outcome: 'refused' },
    {
      action: 'changeConfiguration',
      username: 'root',
      outcome: 'done',
      registry: 'main',
      before: expect.not.stringContaining('by night') as string,
      after: expect.stringContaining('by night') as string,
    },
  ])
  const older = await shop.root.get(`/audit?jobName=orders&limit=2&before=${next}`)
  expect(routes.listAudit.answer.parse(older.body).rows[0]?.id).toBeLessThan(next as number)
})
