/** One broken job in the console: it is shown with its reason, repaired by root alone, and keeps no other job from being shown. */
import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { routes } from '../../src/contract/routes.ts'
import { LiveReader } from '../support/live-reader.ts'
import { Shop } from '../support/shop.ts'

let shop: Shop
let client: ZooKeeper

beforeAll(async () => {
  shop = await Shop.open()
  await shop.work('10.0.0.1')
  for (const jobName of ['orders', 'stock']) await shop.schedule({ jobName })
  await shop.shows('orders', ({ status }) => status === 'OK')
  await shop.shows('stock', ({ status }) => status === 'OK')
  client = await ZooKeeper.connect({ servers: shop.server.connectString })
  // Shards that have never run have no state yet.
  await shop.root.post('/jobs/orders/trigger')
  await shop.shows('orders', ({ shards }) => shards.every(({ run }) => run?.outcome === 'success'))
}, 60_000)

afterAll(async () => {
  await client.close()
  await shop[Symbol.asyncDispose]()
})

const jobState = '/shop.state/jobs/orders'

/** Until the test ends; resolves when the console shows that the job is broken. */
async function breakJob(path: string, junk: string): Promise<void> {
  const { data } = await client.get(path)
  await client.set(path, junk)
  onTestFinished(async () => {
    await client.set(path, data)
    await shop.shows('orders', ({ status }) => status === 'OK')
  })
  await shop.shows('orders', ({ status }) => status === 'BROKEN')
}

describe.each([
  ['job state', jobState, '{'],
  ['assignment', '/shop/orders/leader/sharding', 'junk'],
  ['shard state', '/shop.state/execution/orders/0', '{"state":"walking"}'],
  ['configuration', '/shop/orders/config', 'jobName: ['],
])('a job whose %s cannot be read', (kind, path, junk) => {
  it('is broken in the list, the detail, the doctor and the stream; the other job is not', async () => {
    const live = await LiveReader.open(shop.guest, 'jobs=true')
    onTestFinished(() => live.close())
    await live.until('jobs', ({ left }) => left === 0)
    await breakJob(path, junk)
    const { changed } = await live.until('jobs', (message) =>
      message.changed.some(({ state }) => state === 'broken'),
    )
    const named = { jobName: 'orders', state: 'broken' }
    const reason = expect.stringContaining(path) as string
    expect(changed).toMatchObject([{ ...named, problem: reason }])
    expect((await shop.guest.get('/jobs')).body).toMatchObject([
      { ...named, problem: reason },
      { jobName: 'stock', state: 'ok' },
    ])
    const { status, body } = await shop.guest.get('/jobs/orders/detail')
    expect(status).toBe(200)
    expect(routes.showJob.answer.parse(body)).toMatchObject({ status: 'BROKEN', problem: reason })
    const cause = kind === 'configuration' ? 'configuration-unreadable' : 'node-unreadable'
    expect((await shop.guest.get('/doctor')).body).toMatchObject([
      { jobName: 'orders', healthy: false, findings: [{ cause, what: reason }] },
      { jobName: 'stock', healthy: true },
    ])
    expect((await shop.guest.get('/jobs/orders/dump')).body).toContain(junk)
    const stock = await shop.guest.get('/jobs/stock/detail')
    expect(routes.showJob.answer.parse(stock.body)).toMatchObject({ status: 'OK' })
    expect((await shop.root.post('/jobs/stock/trigger')).status).toBe(200)
  })
})

describe('POST /jobs/{job}/repair', () => {
  const stored = async (): Promise<string> => toText((await client.get(jobState)).data)

  it('with dryRun tells what would be reset, and changes nothing', async () => {
    await breakJob(jobState, '{')
    const { status, body } = await shop.root.post('/jobs/orders/repair?dryRun=true')
    expect(status).toBe(200)
    expect(routes.repairJob.answer.parse(body)).toMatchObject({
      action: 'repair',
      done: [{ jobName: 'orders' }],
    })
    expect(await stored()).toBe('{')
  })

  it('is refused to a guest, and changes nothing', async () => {
    await breakJob(jobState, '{')
    expect((await shop.guest.post('/jobs/orders/repair')).status).toBe(403)
    expect((await shop.nobody.post('/jobs/orders/repair')).status).toBe(401)
    expect(await stored()).toBe('{')
  })

  it('resets the nodes, and the job is not broken any more', async () => {
    await breakJob(jobState, '{')
    const { status, body } = await shop.root.post('/jobs/orders/repair')
    expect(status).toBe(200)
    expect(routes.repairJob.answer.parse(body).done).toHaveLength(1)
    expect(JSON.parse(await stored())).toMatchObject({ paused: true })
    await shop.shows('orders', (job) => job.status === 'OK' && job.state === 'paused')
  })

  it('is audited, with whether it was a dry run, also when it is refused', async () => {
    await shop.root.post('/jobs/orders/repair?dryRun=true')
    await shop.guest.post('/jobs/orders/repair')
    const { rows } = routes.listAudit.answer.parse(
      (await shop.root.get('/audit?jobName=orders&limit=2')).body,
    )
    expect(rows).toMatchObject([
      { action: 'repairJob', username: 'guest', outcome: 'refused' },
      { action: 'repairJob', username: 'root', outcome: 'done' },
    ])
    expect(JSON.stringify(rows[1])).toContain('dryRun')
  })

  it('of a job that does not exist is not found, and of a wrong dryRun bad input', async () => {
    expect((await shop.root.post('/jobs/nothing/repair')).status).toBe(404)
    expect((await shop.root.post('/jobs/orders/repair?dryRun=perhaps')).status).toBe(400)
  })
})
