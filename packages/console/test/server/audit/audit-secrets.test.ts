/** What somebody who reads the audit, or its file, must not find there, and what they must. */
import { readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock } from '@elasticjob/core/internal'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type Endpoint, endpoints } from '../../../src/contract/endpoints.ts'
import { auditedFields } from '../../../src/server/audit/audited-fields.ts'
import { passwords, Shop } from '../../support/shop.ts'
import { Visitor } from '../../support/visitor.ts'

let shop: Shop
let directory: string
let monotonic = 0

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-audit-'))
  // An hour between any two looks at the clock: nobody has to wait after a wrong password.
  shop = await Shop.open({
    directory,
    clock: { ...systemClock, monotonic: () => (monotonic += 3_600_001) },
  })
  await shop.work('10.0.0.1')
  for (const jobName of ['orders', 'stock']) await shop.schedule({ jobName })
  await shop.shows('orders', ({ status }) => status === 'OK')
  await shop.shows('stock', ({ status }) => status === 'OK')
}, 60_000)

afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true })
})

interface AuditAnswer {
  readonly rows: readonly {
    readonly action: string
    readonly outcome: string
    readonly username: string
    readonly before?: string
    readonly after?: string
  }[]
}

async function audit(query = ''): Promise<AuditAnswer['rows']> {
  return ((await shop.root.get(`/audit?limit=500${query}`)).body as AuditAnswer).rows
}

/** All that the console has written to disk, the log that SQLite has not merged yet included. */
function stored(): string {
  const files = ['console.db', 'console.db-wal']
  return files.map((file) => readFileSync(join(directory, file), 'latin1')).join('')
}

it('every endpoint that is no GET says which of its fields are audited', () => {
  const changing = Object.entries<Endpoint>(endpoints).filter(([, { method }]) => method !== 'GET')
  expect(Object.keys(auditedFields).toSorted()).toEqual(changing.map(([name]) => name).toSorted())
})

it('the audit has no password of a change of passwords, done, refused or malformed', async () => {
  const change = { username: 'guest', password: 'planted-new-guest', current: passwords.root }
  await shop.root.put('/session/password', { ...change, current: 'planted-wrong' })
  await shop.guest.put('/session/password', { ...change, current: 'planted-by-guest' })
  await shop.root.put('/session/password', '{"current": "planted-cut-off')
  await shop.nobody.post('/session', { username: 'planted-as-name', password: 'planted-login' })
  expect((await shop.root.put('/session/password', change)).status).toBe(200)
  const rows = await audit('&action=changePassword')
  expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'refused', 'refused'])
  expect(stored()).not.toContain('planted')
  expect(stored()).not.toContain(passwords.root)
  await shop.root.put('/session/password', { ...change, password: passwords.guest })
})

it('the audit has no secret of connections that are saved or tested', async () => {
  const url = 'mysql://me:planted-in-url@127.0.0.1:1/x?password=planted-in-query'
  const source = { name: 'far', url, password: 'planted-password' }
  await shop.root.post('/data-source', source)
  await shop.root.post('/data-source/connectTest', source)
  await shop.root.post('/data-source', { name: 'odd', url: 'mysql://me:planted/odd@[x' })
  const registry = {
    name: 'far',
    zkAddressList: '127.0.0.1:1',
    namespace: 'x',
    digest: 'me:planted-digest',
  }
  await shop.root.post('/registry-center', registry)
  await shop.root.post('/registry-center/connectTest', registry)
  const at = { ...registry, zkAddressList: 'me:planted-at@127.0.0.1:1' }
  expect((await shop.root.post('/registry-center', at)).status).toBe(400)
  const actions = (await audit()).map(({ action }) => action)
  for (const action of ['testDataSource', 'testRegistry', 'saveDataSource', 'saveRegistry']) {
    expect(actions).toContain(action)
  }
  expect(stored()).not.toContain('planted')
  await shop.root.delete('/data-source', { name: 'far' })
  await shop.root.delete('/registry-center', { name: 'far' })
}, 30_000)

it('the audit has the configuration before and after a change without its secrets', async () => {
  const path = '/jobs/orders/configuration'
  for (const text of ['planted "one"', 'planted-two']) {
    const changes = {
      jobParameter: `url=https://me:${text.replaceAll(/\W/g, '')}@db.example/x`,
      props: { 'email.password': text, 'db.passwd': text, 'api.key': text, plain: 'seen' },
    }
    expect((await shop.root.put(path, { changes })).status).toBe(200)
  }
  await shop.root.put('/jobs/config', {
    jobName: 'orders',
    props: { 'zk.digest': 'planted-three' },
  })
  const [settings, configuration] = await audit('&jobName=orders')
  expect(settings).toMatchObject({ action: 'changeSettings', outcome: 'done' })
  expect(configuration?.after).toContain('seen')
  expect(configuration?.after).toContain("email.password: '******'")
  expect(stored()).not.toMatch(/planted/)
})

it('a change is audited although its input is nested too deep to be stored', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const body = `{"jobName":"orders","description":"unseen?","jobExtraConfigurations":${deep}}`
  expect((await shop.root.send('PUT', '/jobs/config', body)).status).toBe(200)
  const [row] = await audit('&jobName=orders')
  expect(row).toMatchObject({ action: 'changeSettings', outcome: 'done', username: 'root' })
  expect(row?.after).toContain('unseen?')
})

it('who shows secrets is audited', async () => {
  const { body } = await shop.root.post('/jobs/orders/configuration/reveal')
  expect(body).toMatchObject({ configuration: { props: { 'zk.digest': 'planted-three' } } })
  expect(await audit('&action=revealConfiguration')).toMatchObject([{ outcome: 'done' }])
})

it('an action on many jobs is found by each of them', async () => {
  await shop.root.post('/jobs/bulk', { action: 'pause', jobs: ['orders', 'stock'] })
  await shop.root.post('/jobs/bulk', { action: 'resume', jobs: ['orders', 'stock'] })
  for (const job of ['orders', 'stock']) {
    expect((await audit(`&jobName=${job}`))[0]).toMatchObject({ action: 'bulk' })
  }
})

it('requests that nobody is logged in for are counted, and add nothing to the audit', async () => {
  const before = await audit()
  for (let index = 0; index < 50; index += 1) {
    await shop.nobody.post('/jobs/orders/disable')
    await shop.nobody.delete('/session')
    await new Visitor(shop.console, { basic: ['root', 'wrong'] }).post('/jobs/orders/disable')
  }
  expect(await audit()).toEqual(before)
  const { body } = await shop.root.get('/audit/refusals')
  const counts = body as { action: string; count: number; address: string }[]
  const refused = counts.filter(({ action }) => action === 'disableJob')
  expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(100)
  expect(refused.length).toBeLessThanOrEqual(2)
  expect((await shop.guest.get('/audit/refusals')).status).toBe(403)
}, 60_000)
