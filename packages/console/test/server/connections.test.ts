import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type Console, createConsole } from '../../src/index.ts'
import { passwords } from '../support/shop.ts'
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
  await console.close()
  await server.close()
  rmSync(directory, { recursive: true })
})

it('without a registry it says that there is none', async () => {
  const { status, body } = await root.get('/jobs')
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: { code: 'CONSOLE_NO_REGISTRY' } })
  expect((await root.get('/registry-center/activated')).body).toBeNull()
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
    reason: expect.stringContaining('there is no file') as string,
  })
})

it('a data source is added, chosen and removed, without its password', async () => {
  const url = `sqlite:${join(directory, 'history.db')}`
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

it('a registry that is removed is gone, also after a restart', async () => {
  expect((await root.delete('/registry-center', { name: 'two' })).status).toBe(200)
  expect((await root.delete('/registry-center', { name: 'two' })).status).toBe(404)
  await console.close()
  console = await createConsole({ directory, page: false })
  const again = new Visitor(console, { basic: ['root', passwords.root] })
  expect((await again.get('/registry-center')).body).toMatchObject([{ name: 'one' }])
})
