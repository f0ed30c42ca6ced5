import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/index.ts'
import { RawSocket } from '../raw-socket.ts'

let folder: string
let key: Buffer
let cert: Buffer

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zookeeper-server-tls-'))
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const rest = ['-nodes', '-days', '2', '-keyout', files.key, '-out', files.cert]
  execFileSync('openssl', [...kind, ...rest, ...subject], { stdio: 'ignore' })
  key = readFileSync(files.key)
  cert = readFileSync(files.cert)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('a server with TLS', () => {
  it('serves TLS clients', async () => {
    await using server = await startServer({ port: 0, tls: { key, cert } })
    await using client = await ZooKeeper.connect({
      servers: server.connectString,
      tls: { ca: cert },
    })
    await client.create('/a', 'x')
    expect((await client.get('/a')).data).toEqual(Buffer.from('x'))
  })

  it('closes the connection of a client without TLS', async () => {
    await using server = await startServer({ port: 0, tls: { key, cert } })
    const plain = await RawSocket.open(server.port)
    plain.handshake()
    await plain.closed
    await using client = await ZooKeeper.connect({
      servers: server.connectString,
      tls: { ca: cert },
    })
    expect(await client.exists('/')).toBeDefined()
  })

  it('requires a client certificate if configured', async () => {
    const tls = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true }
    await using server = await startServer({ port: 0, tls })
    const stranger = await RawSocket.open(server.port, { ca: cert })
    stranger.handshake()
    expect(await stranger.frame()).toBeUndefined()
    const known = await RawSocket.open(server.port, { ca: cert, cert, key })
    known.handshake()
    expect((await known.frame())?.int()).toBe(0)
    known.destroy()
  })
})
