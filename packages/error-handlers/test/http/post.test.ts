import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { systemClock } from '@elasticjob/core/internal'
import { describe, expect, test } from 'vitest'

import { type Answer, type Post, post } from '../../src/http/post.ts'
import { makeCertificate } from '../support/certificate.ts'
import { HookServer } from '../support/hook-server.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'

const quick = { connectTimeout: 5_000, readTimeout: 5_000 }

function send(url: string, more: Partial<Post> = {}, signal?: AbortSignal): Promise<Answer> {
  const request = { url, headers: { 'Content-Type': 'text/plain' }, body: 'für', ...quick, ...more }
  return post(request, signal ?? new AbortController().signal, systemClock)
}

const urlOf = ({ port }: RawServer): string => `http://127.0.0.1:${port}/hook`

test('post sends the request and returns the answer', async () => {
  await using hook = await HookServer.start({
    answer: (response) => response.writeHead(418).end('a teapot'),
  })
  expect(await send(hook.url('/a?b=c'))).toEqual({ status: 418, body: 'a teapot' })
  expect(hook.received).toMatchObject([
    {
      method: 'POST',
      target: '/a?b=c',
      headers: { 'content-type': 'text/plain', 'content-length': '4' },
      body: 'für',
    },
  ])
})

test('post does not follow a redirect, so that secrets stay with their server', async () => {
  await using elsewhere = await HookServer.start()
  await using hook = await HookServer.start({
    answer: (response) => response.writeHead(307, { Location: elsewhere.url() }).end(),
  })
  expect(await send(hook.url())).toMatchObject({ status: 307 })
  expect(elsewhere.received).toEqual([])
})

test('post uses TLS with a trusted certificate', async () => {
  const certificate = makeCertificate()
  await using hook = await HookServer.start({ tls: certificate })
  const folder = mkdtempSync(join(tmpdir(), 'elasticjob-ca-'))
  const authority = join(folder, 'ca.pem')
  writeFileSync(authority, certificate.cert)
  // Node reads its trusted certificates at startup.
  const program = fileURLToPath(new URL('../fixtures/post-once.ts', import.meta.url))
  const args = ['--import', 'tsx', '--conditions=source', program, hook.url('/safe')]
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('200')
  expect(hook.received).toMatchObject([{ target: '/safe', body: 'safely' }])
})

describe('post fails', () => {
  test('without a listener', async () => {
    const hook = await HookServer.start()
    const url = hook.url()
    await hook[Symbol.asyncDispose]()
    await expect(send(url)).rejects.toThrow('ECONNREFUSED')
  })

  test('without a connection in time', async () => {
    // A server that sends nothing until the client does, and a client that waits for its TLS hello.
    await using server = await startRawServer(() => {})
    const url = `https://127.0.0.1:${server.port}`
    await expect(send(url, { connectTimeout: 20 })).rejects.toThrow('no connection within 20 ms')
  })

  test('if the server sends nothing', async () => {
    await using server = await startRawServer(() => {})
    await expect(send(urlOf(server), { readTimeout: 20 })).rejects.toThrow(
      'no data from the server for 20 ms',
    )
  })

  test('if the server stops in the middle of its answer', async () => {
    await using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
    })
    await expect(send(urlOf(server), { readTimeout: 20 })).rejects.toThrow(
      'no data from the server for 20 ms',
    )
  })

  test('if the server closes the connection', async () => {
    await using server = await startRawServer(
      (socket) => void socket.once('data', () => socket.destroy()),
    )
    await expect(send(urlOf(server))).rejects.toThrow('socket hang up')
  })

  test('if the server does not speak HTTP', async () => {
    await using server = await startRawServer((socket) =>
      socket.end('220 mail.example.com ESMTP\r\n'),
    )
    await expect(send(urlOf(server))).rejects.toThrow('Parse Error')
  })

  test('if the certificate is not trusted', async () => {
    await using hook = await HookServer.start({ tls: makeCertificate() })
    await expect(send(hook.url())).rejects.toThrow('self-signed certificate')
    expect(hook.received).toEqual([])
  })
})

describe('post ends', () => {
  test('although the answer does not', async () => {
    await using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const chunk = `${(16_384).toString(16)}\r\n${'x'.repeat(16_384)}\r\n`
      const more = (): void => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
    })
    const { status, body } = await send(urlOf(server))
    expect(status).toBe(200)
    expect(body).toHaveLength(65_536)
  })

  test('on abort, and leaves no socket open', async () => {
    await using hook = await HookServer.start({ answer: () => {} })
    const giveUp = new AbortController()
    const arrived = hook.next()
    const sending = send(hook.url(), {}, giveUp.signal)
    await arrived
    giveUp.abort()
    await expect(sending).rejects.toThrow('the sending was aborted')
    const before = send(hook.url(), {}, AbortSignal.abort())
    await expect(before).rejects.toThrow('the sending was aborted')
    expect(hook.received).toHaveLength(1)
    await hook.idle()
  })
})
