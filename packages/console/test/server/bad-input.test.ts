import { afterAll, beforeAll, expect, it } from 'vitest'

import { failure } from '../../src/contract/common.ts'
import { Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await Shop.openWithOrders()
}, 60_000)

afterAll(() => shop[Symbol.asyncDispose]())

const cases: readonly (readonly [string, string, string, unknown, number])[] = [
  ['an unknown path', 'GET', '/nothing', undefined, 404],
  ['an unknown job', 'POST', '/jobs/nothing/disable', undefined, 404],
  ['an unknown server', 'POST', '/servers/10.9.9.9/disable', undefined, 404],
  ['an unknown shard', 'POST', '/jobs/orders/sharding/99/disable', undefined, 404],
  ['a shard that is no number', 'POST', '/jobs/orders/sharding/one/disable', undefined, 400],
  ['a shard that is negative', 'POST', '/jobs/orders/sharding/-1/disable', undefined, 400],
  ['a slash in a name', 'POST', '/jobs/orders%2Fconfig/disable', undefined, 400],
  ['dots that are encoded twice', 'POST', '/jobs/%252e%252e/disable', undefined, 404],
  ['dots with a slash', 'POST', '/jobs/..%2F..%2Fzookeeper/disable', undefined, 400],
  ['a control character', 'POST', '/jobs/a%00b/disable', undefined, 400],
  ['a character of four bytes', 'POST', '/jobs/%F0%9F%98%80/disable', undefined, 400],
  ['what is no UTF-8', 'POST', '/jobs/%ff%fe/disable', undefined, 404],
  ['a name that is too long', 'POST', `/jobs/${'x'.repeat(600)}/disable`, undefined, 400],
  ['a body that is no JSON', 'POST', '/jobs/orders/trigger', '{"shards":', 400],
  ['a body with an unknown key', 'POST', '/jobs/orders/trigger', { itmes: [0] }, 400],
  ['a body of the wrong type', 'POST', '/jobs/orders/trigger', { shards: 'all' }, 400],
  ['no body where one is needed', 'PUT', '/jobs/config', undefined, 400],
  ['a job in the body that is none', 'PUT', '/jobs/config', { jobName: '../x' }, 400],
  ['an unknown registry', 'POST', '/jobs/orders/disable?registry=other', undefined, 404],
  ['a body of 10 MB', 'POST', '/jobs/orders/trigger', { parameter: 'x'.repeat(10_000_000) }, 413],
  ['a method that is not there', 'PUT', '/jobs', {}, 405],
]

it.each(cases)('%s is refused with a clear error', async (_, method, path, body, status) => {
  const answer = await shop.root.send(method, path, body)
  expect(answer.status).toBe(status)
  const { error } = failure.parse(answer.body)
  expect(error.code).toMatch(/^(CONSOLE|JOB|ZK)_/)
  expect(error.message).not.toBe('')
})

it('a value that is too long is told with its limit', async () => {
  const changes = { timeZone: 'x'.repeat(101) }
  const { body } = await shop.root.post('/jobs/orders/configuration/check', { changes })
  expect(failure.parse(body).error.problems).toEqual([
    {
      key: 'changes.timeZone',
      message: 'must have at most 100 characters',
      messageParts: { code: 'input-text-too-long', parameters: { most: 100 } },
    },
  ])
})

it('a body that says it is a form is refused, as a page elsewhere could send it', async () => {
  const response = await shop.root.raw('POST', '/jobs/orders/trigger', {
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  })
  expect(response.status).toBe(400)
})

it('dots in a path lead nowhere', async () => {
  for (const path of ['/jobs/%2e%2e/trigger', '/jobs/../trigger', '/jobs/%2e%2e%2ftrigger']) {
    const { status } = await shop.root.post(path)
    expect([400, 404]).toContain(status)
  }
})

it('nothing was changed by all that', async () => {
  expect((await shop.guest.get('/jobs')).body).toMatchObject([
    { jobName: 'orders', status: 'OK', recent: [] },
  ])
})

it('a job that Chinese people name is found by it', async () => {
  await shop.schedule({ jobName: '订单' })
  const { jobName } = await shop.shows('订单', ({ status }) => status === 'OK')
  expect(jobName).toBe('订单')
  const { body } = await shop.root.post(`/jobs/${encodeURIComponent('订单')}/pause`)
  expect(body).toMatchObject({ action: 'pause', done: [{ jobName: '订单' }] })
})
