/** Every endpoint for root, guest, nobody and whoever has the wrong password. */
import { systemClock } from '@elasticjob/zookeeper'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Endpoint, endpoints } from '../../src/contract/endpoints.ts'
import { Shop } from '../support/shop.ts'
import type { Visitor } from '../support/visitor.ts'

let shop: Shop

beforeAll(async () => {
  shop = await Shop.open()
  await shop.work('10.0.0.1')
  await shop.schedule({ jobName: 'orders' })
  await shop.shows('orders', ({ status }) => status === 'OK')
}, 60_000)

afterAll(() => shop[Symbol.asyncDispose]())

/** Of nothing that exists: what may be asked is refused for another reason, and changes nothing. */
function pathOf({ path }: Endpoint): string {
  return path
    .replaceAll('{job}', 'nothing')
    .replaceAll('{server}', '10.9.9.9')
    .replaceAll('{item}', '0')
    .replaceAll('{port}', '9888')
    .replaceAll('{run}', 'nothing')
}

async function statusFor(visitor: Visitor, endpoint: Endpoint): Promise<number> {
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const response = await visitor.raw(endpoint.method, pathOf(endpoint), {
    headers: hasBody ? { 'content-type': 'application/json' } : {},
    ...(hasBody ? { body: '{"odd":1}' } : {}),
  })
  await response.body?.cancel()
  return response.status
}

describe.each(Object.entries<Endpoint>(endpoints))('%s', (_, endpoint) => {
  it('is closed to nobody, unless it is how one comes in', async () => {
    const status = await statusFor(shop.nobody, endpoint)
    expect(status === 401).toBe(endpoint.role !== 'nobody')
    expect(status).not.toBe(403)
  })

  it('is open to guests only where one looks', async () => {
    const status = await statusFor(shop.guest, endpoint)
    expect(status === 403).toBe(endpoint.role === 'root')
    expect(status).not.toBe(401)
  })

  it('is open to root', async () => {
    expect([401, 403, 405, 500]).not.toContain(await statusFor(shop.root, endpoint))
  })
})

it('a wrong password opens nothing', async () => {
  // A console of its own, as wrong ones make the next wait, and one for which no time passes.
  await using other = await Shop.open({ clock: { ...systemClock, monotonic: () => 0 } })
  const before = { username: 'root', password: 'wrong' }
  for (const path of ['/jobs', '/session', '/jobs/orders/trigger', '/openapi.json']) {
    const method = path.endsWith('trigger') ? 'POST' : 'GET'
    const { status, body, headers } = await other.impostor.send(method, path)
    expect(status).toBe(401)
    expect(body).toMatchObject({ error: { code: 'CONSOLE_UNAUTHENTICATED' } })
    expect(headers.get('www-authenticate')).toContain('Basic')
  }
  expect((await other.nobody.post('/session', before)).status).toBe(401)
  // The sixth has to wait, whatever it is, and even root by the same name.
  const waits = await other.nobody.post('/session', before)
  expect(waits.status).toBe(429)
  expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(0)
}, 60_000)

it('nothing was changed by all that', async () => {
  expect((await shop.guest.get('/jobs')).body).toMatchObject([
    { jobName: 'orders', status: 'OK', instanceCount: 1, paused: false, shardingTotalCount: 3 },
  ])
})
