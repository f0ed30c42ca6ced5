/** Every endpoint for root, guest, nobody and whoever has the wrong password. */
import { systemClock } from '@elasticjob/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Endpoint, endpoints } from '../../src/contract/endpoints.ts'
import { type Console, createConsole } from '../../src/index.ts'
import { passwords, Shop } from '../support/shop.ts'
import { readTree } from '../support/tree.ts'
import { Visitor } from '../support/visitor.ts'

let shop: Shop
/** A console of the same registry that makes nobody wait: an hour passes between any two questions. */
let patient: Console
let before: ReadonlyMap<string, string>

beforeAll(async () => {
  shop = await Shop.openWithOrders()
  let time = 0
  patient = await createConsole({
    registries: [{ name: 'main', servers: shop.server.connectString, namespace: shop.namespace }],
    directory: false,
    page: false,
    passwords,
    clock: { ...systemClock, monotonic: () => (time += 3_600_001) },
  })
  before = await readTree(shop.server.connectString)
}, 60_000)

afterAll(async () => {
  await patient?.stop()
  await shop[Symbol.asyncDispose]()
})

/** Of nothing that exists: what may be asked is refused for another reason, and changes nothing. */
const nothing = { job: 'nothing', server: '10.9.9.9' }

function pathOf({ path }: Endpoint, { job, server } = nothing): string {
  return path
    .replaceAll('{job}', job)
    .replaceAll('{server}', server)
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

  it('is closed to whoever has the wrong password, even where nobody may come in', async () => {
    const { method } = endpoint
    const hasBody = method === 'POST' || method === 'PUT'
    const impostor = new Visitor(patient, { basic: ['root', 'not-the-password'] })
    // Of what exists: were it not for the password, it would be done.
    const { status, body, headers } = await impostor.send(
      method,
      pathOf(endpoint, { job: 'orders', server: '10.0.0.1' }),
      hasBody ? {} : undefined,
    )
    expect(status).toBe(401)
    expect(body).toMatchObject({ error: { code: 'CONSOLE_UNAUTHENTICATED' } })
    expect(headers.get('www-authenticate')).toContain('Basic')
    expect(headers.get('identify')).toBeNull()
  })
})

it('nothing was changed by all that', async () => {
  expect(await readTree(shop.server.connectString)).toEqual(before)
})

it('wrong passwords make the next one wait, whatever it is', async () => {
  // One for which no time passes.
  await using other = await Shop.open({ clock: { ...systemClock, monotonic: () => 0 } })
  for (let wrong = 1; wrong <= 5; wrong += 1) {
    expect((await other.impostor.get('/jobs')).status).toBe(401)
  }
  const waits = await other.nobody.post('/session', { username: 'root', password: passwords.root })
  expect(waits.status).toBe(429)
  expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(0)
}, 60_000)
