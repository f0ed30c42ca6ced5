import { afterAll, beforeAll, expect, it } from 'vitest'

import { type RunningConsole, startConsole } from '../../src/index.ts'
import { passwords } from '../support/shop.ts'
import { request } from 'node:http'

let running: RunningConsole

beforeAll(async () => {
  running = await startConsole({
    port: 0,
    directory: false,
    page: false,
    passwords,
    allowedHosts: ['jobs.example'],
    trustProxy: true,
    tell: () => {},
  })
})

afterAll(() => running.stop())

/** As a browser sends it to whatever its name server has said the name leads to. */
function statusFor(headers: Record<string, string>, path = '/api/session'): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = running
    const options = { host: '127.0.0.1', port, path, headers, agent: false }
    const asked = request(options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })
}

it.each([
  ['127.0.0.1:8899', 200],
  ['localhost', 200],
  ['console.localhost:8899', 200],
  ['[::1]:8899', 200],
  ['192.168.1.7', 200],
  ['jobs.example', 200],
  ['JOBS.example:443', 200],
  ['evil.example', 421],
  ['evil.example:8899', 421],
  ['jobs.example.evil.example', 421],
  ['127.0.0.1.evil.example', 421],
])('a request for the host %s is answered with %d', async (host, status) => {
  expect(await statusFor({ host })).toBe(status)
})

it('the page is refused as well', async () => {
  expect(await statusFor({ host: 'evil.example' }, '/')).toBe(421)
})

it('behind a trusted proxy the name is the one that the browser has asked the proxy for', async () => {
  const host = 'localhost'
  expect(await statusFor({ host, 'x-forwarded-host': 'jobs.example' })).toBe(200)
  expect(await statusFor({ host, 'x-forwarded-host': 'evil.example' })).toBe(421)
})
