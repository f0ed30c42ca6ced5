/** The REST of the console of 2.x: every endpoint, for everybody who may ask. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { routes } from '../../src/contract/routes.ts'
import { Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await Shop.open()
  await shop.work('10.0.0.1')
  await shop.work('10.0.0.2')
  for (const jobName of ['orders', 'stock', 'mail']) {
    await shop.schedule({ jobName, description: `about ${jobName}` })
    await shop.shows(jobName, ({ status }) => status === 'OK')
  }
}, 60_000)

afterAll(() => shop[Symbol.asyncDispose]())

describe('jobs', () => {
  it('are counted and listed with the fields that 2.x has', async () => {
    expect((await shop.guest.get('/jobs/count')).body).toBe(3)
    const { body, headers } = await shop.guest.get('/jobs')
    expect(routes.listJobs.answer.parse(body)).toHaveLength(3)
    expect(body).toMatchObject([
      { jobName: 'mail' },
      {
        jobName: 'orders',
        status: 'OK',
        description: 'about orders',
        cron: '0 0 0 1 1 ?',
        instanceCount: 2,
        shardingTotalCount: 3,
      },
      { jobName: 'stock' },
    ])
    expect(headers.get('x-total-count')).toBe('3')
    expect(headers.get('identify')).toBe('guest')
  })

  it('are searched, filtered, sorted and cut', async () => {
    const names = async (query: string): Promise<string[]> => {
      const { body } = await shop.guest.get(`/jobs?${query}`)
      return (body as { jobName: string }[]).map(({ jobName }) => jobName)
    }
    expect(await names('search=OCK')).toEqual(['stock'])
    expect(await names('sort=jobName&order=desc&offset=1&limit=1')).toEqual(['orders'])
    expect(await names('state=disabled,crashed')).toEqual([])
    expect((await shop.guest.get('/jobs?state=odd')).status).toBe(400)
  })

  it('tell of their shards as the seed prints them', async () => {
    const { body } = await shop.guest.get('/jobs/orders/sharding')
    const shards = routes.listShards.answer.parse(body)
    expect(shards.map(({ item: shard }) => shard)).toEqual([0, 1, 2])
    for (const shard of shards) {
      expect(Object.keys(shard)).toEqual(['item', 'serverIp', 'instanceId', 'status', 'failover'])
      expect(shard).toMatchObject({ status: 'PENDING', failover: false })
      expect(shard.serverIp).toMatch(/^10\.0\.0\.[12]$/)
      expect(shard.instanceId).toMatch(/^\d+-\w+$/)
    }
  })

  it('are triggered by POST; a GET changes nothing and says so', async () => {
    const refused = await shop.root.get('/jobs/orders/trigger')
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('POST')
    expect(refused.body).toMatchObject({
      error: {
        code: 'CONSOLE_METHOD_NOT_ALLOWED',
        message: expect.stringContaining('use POST to trigger a job') as string,
      },
    })
    const { body } = await shop.root.post('/jobs/orders/trigger')
    expect(routes.triggerJob.answer.parse(body)).toMatchObject({
      action: 'trigger',
      manualRun: { id: 1 },
    })
    const ran = await shop.shows('orders', ({ shards }) =>
      shards.every(({ completed }) => completed),
    )
    expect(ran.recent).toHaveLength(3)
    const { body: other } = await shop.root.post('/jobs/orders/trigger', {
      parameter: 'x',
      shards: [1],
    })
    expect(other).toMatchObject({ manualRun: { id: 2, parameter: 'x', shards: [1] } })
  })

  it('are disabled by POST and enabled by DELETE of the same', async () => {
    expect((await shop.root.post('/jobs/stock/disable')).body).toMatchObject({
      action: 'disable',
      done: [{ server: '10.0.0.1' }, { server: '10.0.0.2' }],
    })
    // Whoever asks next sees what was done.
    expect((await shop.guest.get('/jobs?search=stock')).body).toMatchObject([
      { status: 'DISABLED' },
    ])
    expect((await shop.root.delete('/jobs/stock/disable')).body).toMatchObject({ action: 'enable' })
    await shop.shows('stock', ({ status }) => status === 'OK')
  })

  it('have shards that are disabled and enabled', async () => {
    expect((await shop.root.post('/jobs/stock/sharding/1/disable')).status).toBe(200)
    expect((await shop.guest.get('/jobs/stock/sharding')).body).toMatchObject([
      { status: 'PENDING' },
      { status: 'DISABLED' },
      { status: 'PENDING' },
    ])
    expect((await shop.root.delete('/jobs/stock/sharding/1/disable')).status).toBe(200)
    expect((await shop.root.post('/jobs/stock/sharding/7/disable')).status).toBe(404)
  })

  it('have a configuration that is read and changed', async () => {
    const { body } = await shop.guest.get('/jobs/config/stock')
    const settings = routes.showSettings.answer.parse(body)
    expect(settings).toMatchObject({ jobName: 'stock', shardingTotalCount: 3, monitorPort: -1 })
    const changed = await shop.root.put('/jobs/config', {
      ...settings,
      description: 'counted at night',
      scriptCommandLine: 'echo x',
    })
    expect(routes.changeSettings.answer.parse(changed.body)).toMatchObject({
      changes: [
        { key: 'description', from: 'about stock', to: 'counted at night', takesEffect: 'never' },
        { key: 'props', to: { 'script.command.line': 'echo x' } },
      ],
    })
    // What only 2.x has is refused, key by key.
    expect(settings).not.toHaveProperty('jobClass')
    for (const key of ['jobShardingStrategyClass', 'jobProperties']) {
      const old = await shop.root.put('/jobs/config', { jobName: 'stock', [key]: '' })
      expect(old.status).toBe(400)
      expect(JSON.stringify(old.body)).toContain(key)
    }
    const late = await shop.root.put('/jobs/config', { ...settings, description: 'too late' })
    expect(late.status).toBe(409)
    const wrong = await shop.root.put('/jobs/config', { jobName: 'stock', cron: 'never' })
    expect(wrong.status).toBe(422)
    expect(wrong.body).toMatchObject({
      error: { problems: [{ key: 'cron', messageParts: { code: 'keyed-problem' } }] },
    })
  })
})

describe('servers', () => {
  it('are counted and listed with the fields that 2.x has', async () => {
    expect((await shop.guest.get('/servers/count')).body).toBe(2)
    const { body } = await shop.guest.get('/servers')
    expect(routes.listServers.answer.parse(body)).toMatchObject([
      { serverIp: '10.0.0.1', instancesNum: 1, jobsNum: 3, disabledJobsNum: 0 },
      { serverIp: '10.0.0.2', jobNames: ['mail', 'orders', 'stock'] },
    ])
  })

  it('tell of their jobs in parts', async () => {
    const { body } = await shop.guest.get(
      '/servers/10.0.0.1/jobs?order=asc&offset=1&limit=1&_=15685',
    )
    expect(routes.listServerJobs.answer.parse(body)).toMatchObject([
      { jobName: 'orders', status: 'READY', instanceCount: 1 },
    ])
  })

  it('are disabled and enabled, in all jobs and in one', async () => {
    await shop.root.post('/servers/10.0.0.2/disable')
    expect((await shop.guest.get('/servers')).body).toMatchObject([
      { disabledJobsNum: 0 },
      { disabledJobsNum: 3 },
    ])
    await shop.root.delete('/servers/10.0.0.2/disable')
    await shop.root.post('/servers/10.0.0.2/jobs/mail/disable')
    expect((await shop.guest.get('/servers')).body).toMatchObject([{}, { disabledJobsNum: 1 }])
    await shop.root.delete('/servers/10.0.0.2/jobs/mail/disable')
    expect((await shop.guest.get('/servers')).body).toMatchObject([{}, { disabledJobsNum: 0 }])
  })
})

describe('registries and data sources', () => {
  it('are listed, and one of each is meant where none is named', async () => {
    expect((await shop.guest.get('/registry-center')).body).toMatchObject([
      { name: 'main', namespace: 'shop', hasDigest: false, activated: true, fixed: true },
    ])
    expect((await shop.guest.get('/registry-center/activated')).body).toMatchObject({
      name: 'main',
    })
    expect((await shop.guest.post('/registry-center/connect', { name: 'main' })).status).toBe(200)
    expect((await shop.guest.get('/data-source')).body).toEqual([])
    expect((await shop.guest.get('/data-source/activated')).body).toBeNull()
  })

  it('have no history where there is no data source, and say so', async () => {
    for (const path of ['/event-trace/execution', '/event-trace/status']) {
      const { status, body } = await shop.guest.get(path)
      expect(status).toBe(409)
      expect(body).toMatchObject({ error: { code: 'CONSOLE_NO_SOURCE' } })
    }
  })
})

describe('instances leave', () => {
  it('one job, on one server and on all', async () => {
    expect((await shop.root.post('/servers/10.0.0.2/jobs/mail/shutdown')).body).toMatchObject({
      action: 'shutdown',
    })
    await shop.shows('mail', ({ instanceCount }) => instanceCount === 1)
    await shop.root.post('/jobs/mail/shutdown')
    await shop.shows('mail', ({ instanceCount }) => instanceCount === 0)
  })

  it('and then servers and the job can be removed', async () => {
    expect((await shop.root.delete('/servers/10.0.0.2/jobs/mail')).status).toBe(200)
    expect((await shop.guest.get('/jobs/mail/detail')).body).toMatchObject({
      servers: [{ server: '10.0.0.1' }],
    })
    expect((await shop.root.delete('/jobs/config/mail')).status).toBe(200)
    expect((await shop.guest.get('/jobs/mail/detail')).status).toBe(404)
    expect((await shop.guest.get('/jobs/count')).body).toBe(2)
  })

  it('all jobs of a server, which can then be removed', async () => {
    expect((await shop.root.post('/servers/10.0.0.2/shutdown')).status).toBe(200)
    await shop.shows('stock', ({ instanceCount }) => instanceCount === 1)
    await shop.shows('orders', ({ instanceCount }) => instanceCount === 1)
    expect((await shop.root.delete('/servers/10.0.0.2')).status).toBe(200)
    expect((await shop.guest.get('/servers/count')).body).toBe(1)
  })
})
