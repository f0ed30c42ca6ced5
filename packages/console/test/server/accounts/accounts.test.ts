import { scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock, systemRandom } from '@elasticjob/core/internal'
import { expect, it, onTestFinished, vi } from 'vitest'

import { createConsole } from '../../../src/index.ts'
import { Accounts } from '../../../src/server/accounts/accounts.ts'
import { openDatabase } from '../../../src/server/store/database.ts'
import { LiveReader } from '../../support/live-reader.ts'
import { passwords } from '../../support/shop.ts'
import { SteppingClock } from '../../support/stepping-clock.ts'
import { Visitor } from '../../support/visitor.ts'

vi.unmock('../../../src/server/accounts/password-cost.ts')

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'elasticjob-accounts-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

it('a password is kept as OWASP recommends, and an older hash is replaced at the next login', async () => {
  const database = openDatabase(':memory:')
  const accounts = new Accounts(database, systemClock, systemRandom)
  await accounts.ensure({ root: 'a-long-password' })
  expect(accounts.stampOf('root')).toMatch(/^scrypt\$131072\$8\$1\$/)
  const salt = Buffer.alloc(16, 1)
  const key = scryptSync('a-long-password', salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 2 ** 27 })
  const old = `scrypt$32768$8$1$${salt.toString('base64')}$${key.toString('base64')}`
  database.prepare('update account set password = ? where username = ?').run(old, 'root')
  expect(await accounts.verify('root', 'another')).toBeUndefined()
  expect(accounts.stampOf('root')).toBe(old)
  expect(await accounts.verify('root', 'a-long-password')).toMatchObject({ role: 'root' })
  expect(accounts.stampOf('root')).toMatch(/^scrypt\$131072\$/)
  expect(await accounts.verify('root', 'a-long-password')).toMatchObject({ role: 'root' })
}, 30_000)

it.each(['', '   '])('a console is not started with the password %j', async (root) => {
  await expect(
    createConsole({ directory: false, page: false, passwords: { root } }),
  ).rejects.toMatchObject({ code: 'CONSOLE_INPUT_INVALID' })
})

it('an empty password is refused when it is changed', async () => {
  await using console = await createConsole({ directory: false, page: false, passwords })
  const root = new Visitor(console, { basic: ['root', passwords.root] })
  for (const password of ['', ' '.repeat(12)]) {
    const change = { current: passwords.root, username: 'guest', password }
    expect((await root.put('/session/password', change)).status).toBe(400)
  }
})

it('a password that was rotated by a restart ends the sessions of its account', async () => {
  const directory = folder()
  const first = await createConsole({ directory, page: false, passwords })
  const sessions = await Promise.all(
    (['root', 'guest'] as const).map(async (name) => {
      const answer = await new Visitor(first).post('/session', {
        username: name,
        password: passwords[name],
      })
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] as string
    }),
  )
  await first.stop()
  const changed = { root: 'another-root-password', guest: passwords.guest }
  await using second = await createConsole({ directory, page: false, passwords: changed })
  const roles = await Promise.all(
    sessions.map(async (cookie) => (await new Visitor(second, { cookie }).get('/session')).body),
  )
  expect(roles).toMatchObject([{ role: 'nobody' }, { role: 'guest' }])
}, 30_000)

it('a stream that was opened by HTTP Basic ends when its password is another', async () => {
  const clock = new SteppingClock()
  await using console = await createConsole({
    directory: false,
    page: false,
    passwords,
    clock,
    registries: [{ name: 'away', servers: '127.0.0.1:1', namespace: 'x' }],
  })
  const root = new Visitor(console, { basic: ['root', passwords.root] })
  const guest = new Visitor(console, { basic: ['guest', passwords.guest] })
  const live = await LiveReader.open(guest, 'jobs=1')
  await live.until('registry')
  const change = { current: passwords.root, username: 'guest', password: 'another-guest' }
  expect((await root.put('/session/password', change)).status).toBe(200)
  clock.advance(15_000)
  expect(await live.ended()).toBe(true)
})

it('wrong passwords from elsewhere do not lock out an address that has logged in before', async () => {
  const directory = folder()
  const options = { directory, page: false, trustProxy: true } as const
  const login = async (
    console: Awaited<ReturnType<typeof createConsole>>,
    from: string,
    password: string,
  ): Promise<number> => {
    const headers = { 'x-forwarded-for': from }
    const body = { username: 'root', password }
    return (await new Visitor(console).post('/session', body, headers)).status
  }
  const first = await createConsole({ ...options, passwords })
  expect(await login(first, '10.0.0.1', passwords.root)).toBe(200)
  await first.stop()
  // No time passes: what has to wait waits.
  await using second = await createConsole({
    ...options,
    clock: { ...systemClock, monotonic: () => 0 },
  })
  for (let wrong = 0; wrong < 6; wrong += 1) await login(second, `10.6.6.${wrong}`, 'guess')
  expect(await login(second, '10.0.0.2', passwords.root)).toBe(429)
  expect(await login(second, '10.0.0.1', passwords.root)).toBe(200)
  for (let wrong = 0; wrong < 6; wrong += 1) await login(second, '10.0.0.1', 'guess')
  expect(await login(second, '10.0.0.1', passwords.root)).toBe(200)
}, 60_000)
