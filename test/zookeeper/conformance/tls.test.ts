import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toText } from '@elasticjob/zookeeper'
import { makeCertificates } from '../harness/certificates.ts'
import { expireSession } from '../harness/expire-session.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import { startTlsServer } from '../harness/tls.ts'
import { next } from './recorder.ts'
import { expect, itOn, specialServerConformance } from './support.ts'
import type { TestServer } from './test-clients.ts'

const it = itOn(async () => {
  const secure = await startTlsServer()
  const { server, securePort, certificates } = secure
  const { ca, client } = certificates
  const plain: TestServer = {
    connectString: server.connectString,
    expireSession: (id, password) => expireSession(server.connectString, id, password),
    stop: () => secure.stop(),
  }
  return { ...plain, secure, securePort, ca, credentials: client }
})

specialServerConformance('TLS', () => {
  it('carries everything that a plain connection does', async ({ clients, target }) => {
    const tls = { ca: target.ca, ...target.credentials }
    const zk = await clients.connect({ via: target.secure, tls })
    await zk.create('/a', 'secret')
    expect(toText((await zk.get('/a')).data)).toBe('secret')
    const large = new Uint8Array(900_000).fill(7)
    await zk.set('/a', large)
    expect(Buffer.compare((await zk.get('/a')).data, large)).toBe(0)
  })

  it('proves the client by its certificate', async ({ clients, target }) => {
    const tls = { ca: target.ca, ...target.credentials }
    const zk = await clients.connect({ via: target.secure, tls })
    expect(await zk.whoAmI()).toContainEqual({
      scheme: 'x509',
      user: expect.stringContaining('CN=client') as string,
    })
  })

  it('is kept over a lost connection', async ({ clients, target }) => {
    const proxy = await TcpProxy.start({ target: target.securePort })
    const tls = { ca: target.ca, ...target.credentials }
    const zk = await clients.connect({ via: proxy, tls })
    const reconnected = next(zk, 'session:reconnected')
    proxy.dropAll()
    await reconnected
    await expect(zk.create('/a')).resolves.toBeDefined()
    await clients.closeAll()
    await proxy.stop()
  })

  it('refuses a server that nobody vouches for', async ({ clients, target }) => {
    const zk = clients.prepare({
      via: target.secure,
      tls: { ...target.credentials },
      connectTimeout: 500,
    })
    const connecting = zk.connect()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
    await expect(connecting).rejects.toThrow(/certificate/)
  })

  it('refuses a server of another name', async ({ clients, target }) => {
    const tls = { ca: target.ca, ...target.credentials, servername: 'elsewhere.example' }
    const zk = clients.prepare({ via: target.secure, tls, connectTimeout: 500 })
    const connecting = zk.connect()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
    await expect(connecting).rejects.toThrow(/altnames/)
  })

  it('is refused to a client without a certificate', async ({ clients, target }) => {
    const zk = clients.prepare({
      via: target.secure,
      tls: { ca: target.ca },
      connectTimeout: 500,
    })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
  })

  it('is refused to a client whose certificate nobody vouches for', async ({ clients, target }) => {
    const directory = await mkdtemp(join(tmpdir(), 'certificates-'))
    const { client: stranger } = await makeCertificates(directory)
    await rm(directory, { recursive: true })
    const zk = clients.prepare({
      via: target.secure,
      tls: { ca: target.ca, ...stranger },
      connectTimeout: 500,
    })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
  })

  it('does not get through to a client that speaks plainly', async ({ clients, target }) => {
    const zk = clients.prepare({ via: target.secure, connectTimeout: 500 })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
  })
})
