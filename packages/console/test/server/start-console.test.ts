import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { type RunningConsole, startConsole } from '../../src/index.ts'
import { passwords } from '../support/shop.ts'

/** A registry that nobody runs; what is tried for long elsewhere is given up soon here. */
const away = {
  name: 'away',
  servers: '127.0.0.1:1',
  namespace: 'x',
  connectionTimeoutMilliseconds: 200,
}

function page(): string {
  const folder = mkdtempSync(join(tmpdir(), 'elasticjob-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}')
  writeFileSync(join(folder, '..', 'secret.json'), '{}')
  return folder
}

async function started(
  options: Parameters<typeof startConsole>[0],
): Promise<{ running: RunningConsole; lines: string[] }> {
  const lines: string[] = []
  const running = await startConsole({
    port: 0,
    directory: false,
    page: false,
    tell: (line) => lines.push(line),
    ...options,
  })
  onTestFinished(() => running.stop())
  return { running, lines }
}

it('says where it is, and shows passwords that it has made once', async () => {
  const { running, lines } = await started({})
  expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(lines).toEqual([
    expect.stringMatching(/^The password of root is \S+ /),
    expect.stringMatching(/^The password of guest is \S+ /),
    `Console: ${running.url}`,
  ])
})

it('warns where other machines can reach it', async () => {
  const { lines } = await started({ host: '0.0.0.0', passwords })
  expect(lines[0]).toContain('without TLS')
  expect(lines[0]).toContain('0.0.0.0')
})

it('fails with the reason where the port is taken', async () => {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  onTestFinished(() => void server.close())
  await expect(started({ port, passwords })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

it('serves the page at every address that is not of the API', async () => {
  const { running } = await started({ page: page(), passwords })
  const document = await fetch(`${running.url}/jobs/orders?tab=shards`)
  expect(document.headers.get('content-type')).toContain('text/html')
  expect(document.headers.get('cache-control')).toBe('no-cache')
  expect(await document.text()).toContain('<title>page</title>')
  const script = await fetch(`${running.url}/assets/app-1a2b.js`)
  expect(script.headers.get('content-type')).toContain('javascript')
  expect(script.headers.get('cache-control')).toContain('immutable')
  await script.text()
  const outside = await fetch(`${running.url}/..%2fsecret.json`)
  expect(await outside.text()).toContain('<title>page</title>')
})

it('ends streams when it stops', async () => {
  const { running } = await started({
    passwords,
    registries: [away],
  })
  const authorization = `Basic ${Buffer.from(`guest:${passwords.guest}`).toString('base64')}`
  const stream = await fetch(`${running.url}/api/live?jobs=1`, { headers: { authorization } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const reading = stream.text().catch(() => 'cut')
  await running.stop()
  expect(typeof (await reading)).toBe('string')
  await running.stop()
})

it('sends the page packed to whoever can unpack it', async () => {
  const folder = page()
  writeFileSync(join(folder, 'assets', 'long-3c4d.js'), 'export const one = 1\n'.repeat(1000))
  const { running } = await started({ page: folder, passwords })
  const answer = await fetch(`${running.url}/assets/long-3c4d.js`)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.text()).toHaveLength(21_000)
  const plain = await fetch(`${running.url}/assets/long-3c4d.js`, {
    headers: { 'accept-encoding': 'identity' },
  })
  expect(plain.headers.get('content-encoding')).toBeNull()
})
