import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openHistory } from '@elasticjob/tracing'
import { startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type Console, createConsole } from '../../src/index.ts'
import { LiveReader } from '../support/live-reader.ts'
import { passwords } from '../support/shop.ts'
import { SteppingClock } from '../support/stepping-clock.ts'
import { readTree } from '../support/tree.ts'
import { Visitor } from '../support/visitor.ts'

let directory: string
let console: Console
let server: Awaited<ReturnType<typeof startServer>>
let root: Visitor
let guest: Visitor

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-console-'))
  server = await startServer({ port: 0 })
  console = await createConsole({ directory, page: false, passwords })
  root = new Visitor(console, { basic: ['root', passwords.root] })
  guest = new Visitor(console, { basic: ['guest', passwords.guest] })
})

afterAll(async () => {
  await console.stop()
  await server.stop()
  rmSync(directory, { recursive: true })
})

it('without a registry it says that there is none', async () => {
  const { status, body } = await root.get('/jobs')
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: { code: 'CONSOLE_NO_REGISTRY' } })
  expect((await root.get('/registry-center/activated')).body).toBeNull()
})

it('a stream without a registry says so and stays open, until there is one to follow', async () => {
  const clock = new SteppingClock()
  await using empty = await createConsole({ directory: false, page: false, passwords, clock })
  const visitor = new Visitor(empty, { basic: ['root', passwords.root] })
  const live = await LiveReader.open(visitor, 'jobs=1')
  expect(await live.until('problem')).toMatchObject({
    topic: 'registry',
    code: 'CONSOLE_NO_REGISTRY',
  })
  const unknown = await LiveReader.open(visitor, 'jobs=1&registry=nope')
  expect(await unknown.until('problem')).toMatchObject({ code: 'CONSOLE_REGISTRY_UNKNOWN' })
  clock.advance(15_000)
  expect(await live.until('alive')).toMatchObject({ now: clock.now() })
  const added = { name: 'one', zkAddressList: '127.0.0.1:1', namespace: 'one' }
  expect((await visitor.post('/registry-center', added)).status).toBe(200)
  clock.advance(15_000)
  expect(await live.ended()).toBe(true)
  await unknown.close()
})

it('a registry is added, and its password is neither told nor readable by others', async () => {
  const added = await root.post('/registry-center', {
    name: 'one',
    zkAddressList: server.connectString,
    namespace: 'one',
    digest: 'user:hidden',
  })
  expect(added.body).toMatchObject({ name: 'one', hasDigest: true, fixed: false })
  const list = await guest.get('/registry-center')
  expect(JSON.stringify(list.body)).not.toContain('hidden')
  const file = join(directory, 'connections.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain('hidden')
  expect(JSON.stringify((await root.get('/audit')).body)).not.toContain('hidden')
})

it('a password stays when the rest is changed, and goes nowhere else', async () => {
  const body = { name: 'one', zkAddressList: server.connectString, namespace: 'other' }
  expect((await root.post('/registry-center', body)).body).toMatchObject({ hasDigest: true })
  const moved = { ...body, zkAddressList: '127.0.0.1:1' }
  expect((await root.post('/registry-center', moved)).body).toMatchObject({ hasDigest: false })
  await root.post('/registry-center', body)
})

it('each user chooses, and each question may name another', async () => {
  await root.post('/registry-center', {
    name: 'two',
    zkAddressList: server.connectString,
    namespace: 'two',
  })
  expect((await guest.post('/registry-center/connect', { name: 'two' })).status).toBe(200)
  expect((await guest.get('/registry-center/activated')).body).toMatchObject({ name: 'two' })
  expect((await root.get('/registry-center/activated')).body).toMatchObject({ name: 'one' })
  expect((await guest.get('/registry-center/activated?registry=one')).body).toMatchObject({
    name: 'one',
  })
  expect((await guest.get('/jobs/count?registry=two')).body).toBe(0)
})

it('a test says what is really wrong', async () => {
  const body = { name: 'x', zkAddressList: '127.0.0.1:1', namespace: 'x' }
  expect((await root.post('/registry-center/connectTest', body)).body).toMatchObject({
    ok: false,
    reason: expect.stringContaining('127.0.0.1:1') as string,
  })
  const right = { ...body, zkAddressList: server.connectString }
  expect((await root.post('/registry-center/connectTest', right)).body).toMatchObject({ ok: true })
  const source = { name: 'x', url: `sqlite:${join(directory, 'none', 'x.db')}` }
  expect((await root.post('/data-source/connectTest', source)).body).toMatchObject({
    ok: false,
    reason: expect.stringContaining('does not exist') as string,
  })
})

it('a data source is added, chosen and removed, without its password', async () => {
  const url = `sqlite:${join(directory, 'history.db')}`
  await (await openHistory({ url })).close()
  expect((await root.post('/data-source', { name: 'h', url })).status).toBe(200)
  expect((await root.post('/data-source/connect', { name: 'h' })).body).toMatchObject({
    name: 'h',
    activated: true,
  })
  const far = { name: 'far', url: 'mysql://me:hidden@db.example/jobs' }
  expect((await root.post('/data-source', far)).body).toMatchObject({
    type: 'mysql',
    url: 'mysql://db.example/jobs',
    username: 'me',
    hasPassword: true,
  })
  expect(JSON.stringify((await guest.get('/data-source')).body)).not.toContain('hidden')
  expect((await root.get('/history/executions')).body).toEqual({ rows: [] })
  expect((await root.delete('/data-source', { name: 'far' })).status).toBe(200)
  expect((await root.post('/data-source', { name: 'x', url: 'file:///etc/passwd' })).status).toBe(
    400,
  )
})

it('a test of a registry changes nothing in it', async () => {
  const before = await readTree(server.connectString)
  const body = { name: 'x', zkAddressList: server.connectString, namespace: 'mistyped' }
  expect((await root.post('/registry-center/connectTest', body)).body).toMatchObject({ ok: true })
  expect(await readTree(server.connectString)).toEqual(before)
})

it('a test of a data source makes neither tables nor a file', async () => {
  const test = async (url: string): Promise<unknown> =>
    (await root.post('/data-source/connectTest', { name: 'x', url })).body
  const missing = join(directory, 'mistyped', 'x.db')
  expect(await test(`sqlite:${missing}`)).toMatchObject({ ok: false })
  expect(existsSync(join(directory, 'mistyped'))).toBe(false)
  const empty = join(directory, 'empty.db')
  writeFileSync(empty, '')
  expect(await test(`sqlite:${empty}`)).toMatchObject({
    ok: true,
    found: expect.stringContaining('no history yet') as string,
  })
  expect(statSync(empty).size).toBe(0)
})

it('a data source whose file does not exist is told as such, and the file is not made', async () => {
  const path = join(directory, 'mistyped.db')
  expect((await root.post('/data-source', { name: 'odd', url: `sqlite:${path}` })).status).toBe(200)
  const { status, body } = await guest.get('/history/executions?source=odd')
  expect(status).toBe(503)
  expect(body).toMatchObject({ error: { code: 'HISTORY_UNREACHABLE' } })
  expect(existsSync(path)).toBe(false)
  await root.delete('/data-source', { name: 'odd' })
})

it("the console's own database is refused as a data source", async () => {
  const body = { name: 'own', url: `sqlite:${join(directory, 'console.db')}` }
  expect((await root.post('/data-source', body)).status).toBe(400)
  expect((await root.post('/data-source/connectTest', body)).body).toMatchObject({ ok: false })
})

it('credentials in the query of a data source go where the others are kept', async () => {
  const url = 'jdbc:mysql://db.example/jobs?user=me&password=hidden&ssl=true'
  expect((await root.post('/data-source', { name: 'jdbc', url })).body).toMatchObject({
    url: 'mysql://db.example/jobs?ssl=true',
    username: 'me',
    hasPassword: true,
  })
  await root.delete('/data-source', { name: 'jdbc' })
})

it('a registry that is removed is gone, also after a restart', async () => {
  expect((await root.delete('/registry-center', { name: 'two' })).status).toBe(200)
  expect((await root.delete('/registry-center', { name: 'two' })).status).toBe(404)
  await console.stop()
  console = await createConsole({ directory, page: false })
  const again = new Visitor(console, { basic: ['root', passwords.root] })
  expect((await again.get('/registry-center')).body).toMatchObject([{ name: 'one' }])
})
