/** A console that does not stand at the root of its host. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, onTestFinished, vi } from 'vitest'

import {
  createConsole,
  isConsoleError,
  type RunningConsole,
  startConsole,
} from '../../src/index.ts'
import { passwords } from '../support/shop.ts'

// Passwords take a busy machine long to derive, and every console here has two.
vi.setConfig({ testTimeout: 60_000 })

function page(): string {
  const folder = mkdtempSync(join(tmpdir(), 'elasticjob-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    '<meta name="elasticjob-base" content="./" /><script src="./assets/app-1a2b.js"></script>',
  )
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}')
  return folder
}

async function below(basePath: string): Promise<RunningConsole> {
  const running = await startConsole({
    port: 0,
    directory: false,
    page: page(),
    passwords,
    basePath,
    tell: () => {},
  })
  onTestFinished(() => running.stop())
  return running
}

it.each(['/elasticjob', 'elasticjob/', '/elasticjob/'])('stands below %s', async (given) => {
  const { url } = await below(given)
  expect(new URL(url).pathname).toBe('/elasticjob')
  const { origin } = new URL(url)
  const document = await fetch(`${url}/jobs/orders`)
  expect(await document.text()).toBe(
    '<meta name="elasticjob-base" content="/elasticjob/" />' +
      '<script src="/elasticjob/assets/app-1a2b.js"></script>',
  )
  expect(document.headers.get('content-security-policy')).toContain("script-src 'self'")
  const script = await fetch(`${url}/assets/app-1a2b.js`)
  expect(script.headers.get('content-type')).toContain('javascript')
  await script.text()
  expect((await fetch(`${url}/api/session`)).status).toBe(200)
  const first = await fetch(origin, { redirect: 'manual' })
  expect([first.status, first.headers.get('location')]).toEqual([302, '/elasticjob/'])
  for (const path of ['/api/session', '/jobs', '/elasticjobs', '/assets/app-1a2b.js']) {
    const outside = await fetch(`${origin}${path}`)
    expect(outside.status).toBe(404)
    expect(await outside.json()).toMatchObject({ error: { code: 'CONSOLE_NOT_FOUND' } })
    expect(outside.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

it('gives its cookie to nothing else on the host, and says in its document where it is', async () => {
  const { url } = await below('/tools/elasticjob')
  const login = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: passwords.root }),
  })
  const [cookie = ''] = login.headers.getSetCookie()
  expect(cookie).toContain('; Path=/tools/elasticjob;')
  expect(cookie).toContain('SameSite=Strict')
  const { csrfToken } = (await login.json()) as { csrfToken: string }
  const logout = await fetch(`${url}/api/session`, {
    method: 'DELETE',
    headers: { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': csrfToken },
  })
  expect(logout.headers.getSetCookie()[0]).toContain('Path=/tools/elasticjob')
  const openApi = (await (await fetch(`${url}/api/openapi.json`)).json()) as { servers: unknown }
  expect(openApi.servers).toEqual([{ url: '/tools/elasticjob/' }])
})

it('at the root the document names what it needs from there', async () => {
  const { url } = await below('')
  const text = await (await fetch(`${url}/jobs/orders`)).text()
  expect(text).toContain('content="/"')
  expect(text).toContain('src="/assets/app-1a2b.js"')
})

it.each(['/a b', '/../x', '/a//b', '/<script>', '/a"b', '/ä', '/a;b', '//host'])(
  '%s is no path to stand below',
  async (basePath) => {
    const error = await createConsole({ basePath, directory: false, page: false }).catch(
      (thrown: unknown) => thrown,
    )
    expect(isConsoleError(error, 'CONSOLE_INPUT_INVALID')).toBe(true)
  },
)
