import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { type Console, createConsole } from '../../src/index.ts'
import { passwords } from '../support/shop.ts'
import { Visitor } from '../support/visitor.ts'

let shared: Console

beforeAll(async () => {
  shared = await createConsole({ directory: false, page: false, passwords })
})

afterAll(() => shared.stop())

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'elasticjob-console-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

it('makes passwords at the first start, tells them once, and keeps them as scrypt', async () => {
  const directory = folder()
  const first = await createConsole({ directory, page: false })
  expect([...first.newPasswords.keys()]).toEqual(['root', 'guest'])
  const password = first.newPasswords.get('root') as string
  expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
  await first.stop()
  await using second = await createConsole({ directory, page: false })
  expect(second.newPasswords.size).toBe(0)
  const visitor = new Visitor(second, { basic: ['root', password] })
  expect((await visitor.get('/session')).body).toMatchObject({ role: 'root', username: 'root' })
  expect(statSync(join(directory, 'console.db')).mode & 0o777).toBe(0o600)
})

it('a session is a cookie that no script reads, and outlasts a restart', async () => {
  const directory = folder()
  const first = await createConsole({ directory, page: false, passwords })
  const answer = await new Visitor(first).post('/session', {
    username: 'root',
    password: passwords.root,
  })
  const cookie = answer.headers.get('set-cookie') ?? ''
  expect(cookie).toContain('HttpOnly')
  expect(cookie).toContain('SameSite=Strict')
  const { csrfToken } = answer.body as { csrfToken: string }
  await first.stop()
  await using second = await createConsole({ directory, page: false })
  const [pair = ''] = cookie.split(';')
  const visitor = new Visitor(second, { cookie: pair, csrf: csrfToken })
  expect((await visitor.get('/session')).body).toMatchObject({ role: 'root', csrfToken })
  expect((await visitor.delete('/session')).status).toBe(200)
  expect((await visitor.get('/session')).body).toMatchObject({ role: 'nobody' })
})

it('the audit knows who has logged in, and refusals are counted apart', async () => {
  await using console = await createConsole({ directory: false, page: false, passwords })
  await new Visitor(console).post('/session', { username: 'root', password: 'wrong' })
  const root = await Visitor.login(console, 'root', passwords.root)
  const { body } = await root.get('/audit')
  expect(body).toMatchObject({
    rows: [{ action: 'login', username: 'root', role: 'root', outcome: 'done' }],
  })
  expect((await root.get('/audit/refusals')).body).toMatchObject([
    { action: 'login', username: 'root', count: 1, code: 'CONSOLE_UNAUTHENTICATED' },
  ])
})

it('what comes with a cookie changes nothing without its token', async () => {
  const visitor = await Visitor.login(shared, 'root', passwords.root)
  const { body } = await visitor.post('/registry-center', {}, { 'x-csrf-token': 'guessed' })
  expect(body).toMatchObject({ error: { code: 'CONSOLE_FORGED' } })
})

it.each([
  ['another site says the browser', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a sister site says the browser', { 'sec-fetch-site': 'same-site' }, 403],
  ['another origin', { origin: 'https://evil.example' }, 403],
  ['no origin at all', { origin: 'null' }, 403],
  ['its own origin', { origin: 'http://localhost', host: 'localhost' }, 400],
  ['its own page says the browser', { 'sec-fetch-site': 'same-origin' }, 400],
])('a change asked for by %s', async (_, headers, status) => {
  const visitor = new Visitor(shared, { basic: ['root', passwords.root] })
  expect((await visitor.post('/registry-center', {}, headers as never)).status).toBe(status)
})

it('an account changes its own password, and its other sessions end', async () => {
  await using console = await createConsole({ directory: false, page: false, passwords })
  const here = await Visitor.login(console, 'guest', passwords.guest)
  const there = await Visitor.login(console, 'guest', passwords.guest)
  const change = { current: passwords.guest, username: 'guest', password: 'another-password' }
  expect((await here.put('/session/password', { ...change, current: 'wrong' })).status).toBe(401)
  expect((await here.put('/session/password', { ...change, username: 'root' })).status).toBe(403)
  expect((await here.put('/session/password', change)).status).toBe(200)
  expect((await here.get('/session')).body).toMatchObject({ role: 'guest' })
  expect((await there.get('/session')).body).toMatchObject({ role: 'nobody' })
  const old = new Visitor(console, { basic: ['guest', passwords.guest] })
  expect((await old.get('/session')).status).toBe(401)
})

it('answers carry the usual headers, and allow no other origin', async () => {
  const { headers } = await new Visitor(shared).get('/session', { origin: 'https://evil.example' })
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

it('a browser is not made to ask for a password in a window of its own', async () => {
  const { headers } = await new Visitor(shared).get('/jobs', { 'sec-fetch-mode': 'cors' })
  expect(headers.get('www-authenticate')).toBeNull()
})
