/** What nobody should send, to every endpoint over the wire: a clear answer, and nothing is changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { failure } from '../../src/contract/common.ts'
import { type Endpoint, endpoints } from '../../src/contract/endpoints.ts'
import { routes } from '../../src/contract/routes.ts'
import { type RunningConsole, startConsole } from '../../src/index.ts'
import { passwords, Shop } from '../support/shop.ts'
import { readTree } from '../support/tree.ts'
import type { Answer } from '../support/visitor.ts'
import { sendOverWire } from '../support/wire.ts'

let shop: Shop
let running: RunningConsole
let before: ReadonlyMap<string, string>

beforeAll(async () => {
  shop = await Shop.openWithOrders()
  running = await startConsole({
    port: 0,
    registries: [{ name: 'main', servers: shop.server.connectString, namespace: shop.namespace }],
    directory: false,
    page: false,
    passwords,
    tell: () => {},
  })
  before = await readTree(shop.server.connectString)
}, 60_000)

afterAll(async () => {
  await running?.stop()
  await shop[Symbol.asyncDispose]()
})

const all = Object.entries<Endpoint>(endpoints)
const real: Readonly<Record<string, string>> = {
  job: 'orders',
  server: '10.0.0.1',
  shard: '0',
  port: '9888',
  run: 'run-1',
}

/** What the endpoints that want a body would take. */
const bodies: Readonly<Record<string, unknown>> = {
  checkConfiguration: { changes: { description: 'changed' } },
  changeConfiguration: { changes: { description: 'changed' } },
}

function pathOf({ path }: Endpoint, parts: Readonly<Record<string, string>>): string {
  return `/api${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => parts[name] ?? '')}`
}

function send(name: string, endpoint: Endpoint, path: string, body?: string): Promise<Answer> {
  const valid = bodies[name]
  const sent = body ?? (valid === undefined ? undefined : JSON.stringify(valid))
  return sendOverWire(running.url, {
    method: endpoint.method,
    path,
    basic: ['root', passwords.root],
    ...(sent === undefined ? {} : { body: sent }),
  })
}

/** How it was refused, and whether whoever asked is told why. */
function refusalOf({ status, body }: Answer): { status: number; isClear: boolean } {
  const { error } = failure.parse(body)
  return { status, isClear: /^(?:CONSOLE|JOB)_/u.test(error.code) && error.message !== '' }
}

function clear(status: number): { status: number; isClear: boolean } {
  return { status, isClear: true }
}

/** Whether an address may be asked for a dump is no question of what exists. */
function unknown(name: string, part: string): { status: number; isClear: boolean } {
  return clear(name === 'dumpFromServer' && part === 'server' ? 403 : 404)
}

/** Names that are none, as they stand in a path, and what is answered. */
const badNames: readonly (readonly [what: string, name: string, status: number])[] = [
  ['a slash', 'a%2Fb', 400],
  ['dots', '..', 400],
  ['dots that are encoded', '%2e%2e', 400],
  ['dots that are encoded in part', '.%2E', 400],
  ['one dot', '%2e', 400],
  ['dots and slashes', '..%2F..%2Fzookeeper', 400],
  ['a control character', 'a%00b', 400],
  ['a character of four bytes', '%F0%9F%98%80', 400],
  ['more than a name can have', 'x'.repeat(600), 400],
]

const named = all.flatMap(([name, endpoint]) =>
  ['job', 'server']
    .filter((part) => endpoint.path.includes(`{${part}}`))
    .map((part) => [name, part, endpoint] as const),
)
/** That there is no such job is an answer of the doctor. */
const refusing = named.filter(([name]) => name !== 'diagnoseJob')

describe.each(named)('%s with a %s that is no name', (name, part, endpoint) => {
  it.each(badNames)('%s', async (_, bad, status) => {
    const answer = await send(name, endpoint, pathOf(endpoint, { ...real, [part]: bad }))
    expect(refusalOf(answer)).toEqual(clear(status))
  })
})

describe.each(refusing)('%s of a %s that is not there', (name, part, endpoint) => {
  it.each([
    ['it is not found', '10.9.9.9'],
    ['what is no UTF-8 is nobody', '%ff%fe'],
  ])('%s', async (_, nobody) => {
    const answer = await send(name, endpoint, pathOf(endpoint, { ...real, [part]: nobody }))
    expect(refusalOf(answer)).toEqual(unknown(name, part))
  })
})

it('the doctor says of a job that is not there that it is not', async () => {
  const [name, endpoint] = all.find(([one]) => one === 'diagnoseJob') as (typeof all)[number]
  const answer = await send(name, endpoint, pathOf(endpoint, { ...real, job: 'nothing' }))
  expect(answer).toMatchObject({
    status: 200,
    body: { healthy: false, findings: [{ severity: 'error' }] },
  })
})

describe.each(all.filter(([, { path }]) => path.includes('{item}')))('%s', (name, endpoint) => {
  it.each([
    ['of a shard that is not there is not found', '99', 404],
    ['of a word is refused', 'one', 400],
    ['of a negative number is refused', '-1', 400],
    ['of a fraction is refused', '1.5', 400],
    ['of a number that no job has is refused', '99999999999', 400],
  ])('%s', async (_, shard, status) => {
    const answer = await send(name, endpoint, pathOf(endpoint, { ...real, shard }))
    expect(refusalOf(answer)).toEqual(clear(status))
  })
})

it.each(all.filter(([, { method }]) => method !== 'GET'))(
  '%s refuses a body of 10 MB',
  async (name, endpoint) => {
    const body = JSON.stringify({ jobName: 'orders', description: 'x'.repeat(10_000_000) })
    const answer = await send(name, endpoint, pathOf(endpoint, real), body)
    expect(refusalOf(answer)).toEqual(clear(413))
  },
)

const withBody = all.filter(([name]) => 'body' in ((routes as Record<string, object>)[name] ?? {}))

describe.each(withBody)('%s refuses a body', (name, endpoint) => {
  it.each([
    ['that is no JSON', '{"jobName":'],
    ['that is a list', '[]'],
    ['that is a text', '"text"'],
    ['with a key that nobody knows', '{"nobody":"knows"}'],
  ])('%s', async (_, body) => {
    const answer = await send(name, endpoint, pathOf(endpoint, real), body)
    expect(refusalOf(answer)).toEqual(clear(400))
  })
})

it.each(['/api', '/api/', '/api/jobs/', '/api/nothing', '/api//jobs', '/api/jobs/a/b/c'])(
  '%s, beside the API, is not found',
  async (path) => {
    const answer = await sendOverWire(running.url, { method: 'GET', path })
    expect(refusalOf(answer)).toEqual(clear(404))
  },
)

it('nothing was changed by all that', async () => {
  expect(await readTree(shop.server.connectString)).toEqual(before)
})
