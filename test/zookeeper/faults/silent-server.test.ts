import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import {
  FakeServer,
  handshakesThenSilent,
  neverAnswers,
  type FakeScript,
} from '../harness/fake-server.ts'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, inListedOrder } from './clients.ts'
import { Log } from './log.ts'

faults('a server that falls silent', () => {
  let server: ZooKeeperProcess

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  async function fakeServer(script: FakeScript): Promise<FakeServer> {
    const fake = await FakeServer.start(script)
    onTestFinished(() => fake.stop())
    return fake
  }

  it('is passed over when it accepts and never answers', async () => {
    const silent = await fakeServer(neverAnswers())
    const { zk, history } = await connectClient({
      servers: [silent.connectString, server.connectString],
      random: inListedOrder,
      sessionTimeout: 2_000,
    })
    expect(silent.connections).toHaveLength(1)
    await silent.connections[0]?.closed
    expect(await zk.exists('/')).toBeDefined()
    expect(history.names).toEqual(['session:connected'])
  })

  it('is what a connect in vain tells of', async () => {
    const silent = await fakeServer(neverAnswers())
    const connecting = connectClient({
      servers: silent.connectString,
      sessionTimeout: 1_000,
      connectTimeout: 1_500,
    })
    await expect(connecting).rejects.toMatchObject({
      code: 'ZK_CONNECT_FAILED',
      message: expect.stringContaining(
        `${silent.connectString} accepted the connection but did not answer the handshake`,
      ) as string,
    })
  })

  it('is left for another when it falls silent after the handshake', async () => {
    const silent = await fakeServer((connection) =>
      silent.connections.length === 1 ? handshakesThenSilent()(connection) : connection.destroy(),
    )
    const { zk, history } = await connectClient({
      servers: [silent.connectString, server.connectString],
      random: inListedOrder,
      sessionTimeout: 1_500,
    })
    const formerSessionId = zk.sessionId
    const write = zk.create('/unanswered').catch((error: unknown) => error)
    const read = zk.exists('/unanswered').catch((error: unknown) => error)
    const { payload } = await history.until('session:suspended')
    expect(payload.reason.code).toBe('ZK_READ_TIMEOUT')
    expect(await write).toMatchObject({ code: 'ZK_CONNECTION_LOSS', outcomeUnknown: true })

    // The real server does not know the session that the silent one had granted.
    const renewed = await history.until('session:renewed')
    expect(await read).toMatchObject({ code: 'ZK_SESSION_EXPIRED' })
    expect(renewed.payload).toMatchObject({ formerSessionId, server: server.connectString })
    expect(await zk.exists('/unanswered')).toBeUndefined()
    expect(history.names).toEqual([
      'session:connected',
      'session:suspended',
      'session:lost',
      'session:expired',
      'session:renewed',
    ])
  })

  it('is asked again within the session when it swallowed a handshake, as a starting one may', async () => {
    const proxy = await TcpProxy.start({ target: server.port, framed: true })
    onTestFinished(() => proxy.stop())
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    const { sessionId } = zk
    const handshakes = new Log<'swallowed' | 'passed'>()
    proxy.onClientFrame = ({ index }) => {
      if (index > 0) return 'pass'
      const isFirst = handshakes.entries.length === 0
      handshakes.add(isFirst ? 'swallowed' : 'passed')
      return isFirst ? 'swallow' : 'pass'
    }
    proxy.dropAll()
    expect((await history.until('session:reconnected')).payload.sessionId).toBe(sessionId)
    expect(await zk.exists('/')).toBeDefined()
    expect(handshakes.entries).toEqual(['swallowed', 'passed'])
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })

  it('is left for another way to it when its packets vanish, and no event is lost', async () => {
    const proxies = [
      await TcpProxy.start({ target: server.port }),
      await TcpProxy.start({ target: server.port }),
    ] as const
    onTestFinished(async () => void (await Promise.all(proxies.map((proxy) => proxy.stop()))))
    const { zk, history } = await connectClient({
      servers: proxies.map((proxy) => proxy.connectString),
      random: inListedOrder,
      sessionTimeout: 3_000,
    })
    const { sessionId } = zk
    const others = await connectClient({ servers: server.connectString })
    await zk.create('/vanish', '', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await zk.get('/vanish', { watch: events.add })

    proxies[0].blackHole()
    // Its event goes down the black hole, and has to come over the next connection.
    await others.zk.set('/vanish', 'new')
    await history.until('session:suspended')
    const { payload } = await history.until('session:reconnected')
    expect(payload).toMatchObject({ sessionId, server: proxies[1].connectString })
    await zk.catchUp()
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/vanish' }])
    proxies[0].pass()
    await zk.catchUp()
    expect(events.entries).toHaveLength(1)
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })
})
