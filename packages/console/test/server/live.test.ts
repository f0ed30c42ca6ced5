import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { liveMessages } from '../../src/contract/live.ts'
import { LiveReader } from '../support/live-reader.ts'
import { Shop } from '../support/shop.ts'

/** A registry that nobody runs; what is tried for long elsewhere is given up soon here. */
const away = {
  name: 'away',
  servers: '127.0.0.1:1',
  namespace: 'x',
  connectionTimeoutMilliseconds: 200,
}

let shop: Shop

beforeAll(async () => {
  shop = await Shop.openWithOrders()
}, 60_000)

afterAll(() => shop[Symbol.asyncDispose]())

it('begins with how the registry stands, and with everything', async () => {
  const live = await LiveReader.open(shop.guest, 'jobs=1&servers=1')
  const registry = liveMessages.registry.parse(await live.until('registry'))
  expect(registry).toMatchObject({ state: 'connected', name: 'main', namespace: 'shop' })
  const jobs = liveMessages.jobs.parse(await live.until('jobs'))
  expect(jobs).toMatchObject({ reset: true, changed: [{ jobName: 'orders' }], removed: [] })
  const servers = liveMessages.servers.parse(await live.until('servers'))
  expect(servers).toMatchObject({ reset: true, changed: [{ serverIp: '10.0.0.1' }] })
  await live.close()
})

it('goes on with what changes, and tells everybody', async () => {
  const readers = await Promise.all(
    Array.from({ length: 20 }, () => LiveReader.open(shop.guest, 'jobs=1')),
  )
  for (const live of readers) await live.until('jobs', ({ reset }) => reset)
  await shop.root.post('/jobs/orders/pause')
  for (const live of readers) {
    const { changed, reset } = await live.until('jobs')
    expect(reset).toBe(false)
    expect(changed).toMatchObject([{ jobName: 'orders', state: 'paused' }])
    await live.close()
  }
  await shop.root.delete('/jobs/orders/pause')
})

it('a reader who comes back hears what was missed, and no more', async () => {
  await shop.schedule({ jobName: 'short' })
  const first = await LiveReader.open(shop.guest, 'jobs=1')
  // What it begins with is shared for a moment, and may be from before: it has heard all when both are well.
  const well = new Map<string, boolean>()
  await first.until('jobs', ({ changed }) => {
    for (const { jobName, state, status } of changed) {
      well.set(jobName, state === 'ok' && status === 'OK')
    }
    return well.get('orders') === true && well.get('short') === true
  })
  await first.close()
  await shop.root.post('/jobs/short/shutdown')
  await shop.shows('short', ({ instanceCount }) => instanceCount === 0)
  await shop.root.delete('/jobs/config/short')
  const second = await LiveReader.open(shop.guest, 'jobs=1', {
    'last-event-id': first.lastId as string,
  })
  expect(await second.until('jobs')).toMatchObject({
    reset: false,
    changed: [],
    removed: ['short'],
  })
  await second.close()
})

it('a reader who comes right after a change is told of it', async () => {
  const first = await LiveReader.open(shop.guest, 'jobs=1')
  await first.until('jobs', ({ reset }) => reset)
  await shop.root.post('/jobs/orders/pause')
  // Begins with what the first one was told, which is shared for a moment.
  const second = await LiveReader.open(shop.guest, 'jobs=1')
  const told = await second.until('jobs', ({ changed }) =>
    changed.some(({ state }) => state === 'paused'),
  )
  expect(told.changed).toMatchObject([{ jobName: 'orders', state: 'paused' }])
  await shop.root.delete('/jobs/orders/pause')
  for (const live of [first, second]) await live.close()
})

it('a reader of another time gets everything', async () => {
  const live = await LiveReader.open(shop.guest, 'jobs=1&since=another.17')
  expect(await live.until('jobs')).toMatchObject({ reset: true })
  await live.close()
})

it('goes on from what a list has said', async () => {
  const { headers } = await shop.guest.get('/jobs')
  const live = await LiveReader.open(shop.guest, `jobs=1&since=${headers.get('x-revision')}`)
  await shop.root.post('/jobs/orders/disable')
  const told = await live.until('jobs', ({ changed }) =>
    changed.some(({ status }) => status === 'DISABLED'),
  )
  expect(told).toMatchObject({
    reset: false,
    changed: [{ jobName: 'orders', status: 'DISABLED' }],
  })
  await live.close()
  await shop.root.delete('/jobs/orders/disable')
})

it('shows the shards of one job move when an instance comes and goes', async () => {
  const live = await LiveReader.open(shop.guest, 'job=orders')
  const owners = (
    detail: { shards: { server?: string | undefined }[] } | undefined,
  ): Set<unknown> => new Set(detail?.shards.map(({ server }) => server))
  await live.until('job', ({ detail }) => owners(detail).size === 1)
  const worker = await shop.work('10.0.0.2')
  await shop.schedule({ jobName: 'elsewhere' })
  await worker.schedule({ jobName: 'orders', cron: '0 0 0 1 1 ?', shardingTotalCount: 3 }, () => {})
  await live.until('job', ({ detail }) => owners(detail).size === 2)
  await worker.stop()
  const { detail: last } = await live.until('job', ({ detail }) => owners(detail).size === 1)
  expect(owners(last)).toEqual(new Set(['10.0.0.1']))
  await live.close()
})

it('a job that is not there is told as such', async () => {
  const live = await LiveReader.open(shop.guest, 'job=nothing')
  expect(await live.until('job')).toEqual({ jobName: 'nothing' })
  await live.close()
})

it('costs the registry nothing, however many read', async () => {
  const one = await LiveReader.open(shop.guest, 'jobs=1&servers=1&job=orders')
  await one.until('job')
  const before = await packetsOf(shop)
  const readers = await Promise.all(
    Array.from({ length: 50 }, () => LiveReader.open(shop.guest, 'jobs=1&servers=1&job=orders')),
  )
  for (const live of readers) await live.until('job')
  // Pings of the sessions that are there anyway.
  expect((await packetsOf(shop)) - before).toBeLessThan(25)
  for (const live of [one, ...readers]) await live.close()
})

it('says since when the registry is gone, and goes on when it is back', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'elasticjob-registry-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  await using other = await Shop.open({}, { dataDir })
  const live = await LiveReader.open(other.guest, 'jobs=1')
  await live.until('jobs')
  const { port } = new URL(`tcp://${other.server.connectString}`)
  await other.server.stop()
  const lost = await live.until('registry', ({ state }) => state === 'lost')
  expect(lost.since).toBeGreaterThan(0)
  expect(lost.reason).not.toBe('')
  const refused = await other.guest.get('/jobs')
  expect(refused.status).toBe(503)
  expect(refused.body).toMatchObject({ error: { code: 'CONSOLE_REGISTRY_LOST' } })
  await using _server = await startServer({ port: Number(port), dataDir })
  await live.until('registry', ({ state }) => state === 'connected')
  expect((await other.guest.get('/jobs')).status).toBe(200)
  await live.close()
})

it('a registry that was never there is tried again while somebody looks', async () => {
  await using other = await Shop.open({
    registries: [away],
  })
  const live = await LiveReader.open(other.guest, 'jobs=1')
  const { reason } = await live.until('registry', ({ state }) => state === 'lost')
  expect(reason).toContain('127.0.0.1:1')
  await live.close()
})

/** How many requests the registry has had, as it says itself. */
async function packetsOf({ server }: Shop): Promise<number> {
  const { hostname, port } = new URL(`tcp://${server.connectString}`)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write('srvr')
  return Number(/Received: (\d+)/.exec(await text(socket))?.[1])
}
