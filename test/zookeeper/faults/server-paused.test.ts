import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults } from './clients.ts'
import { Gate } from './gate.ts'
import { Log } from './log.ts'
import { recordPings } from './pings.ts'

faults('a server that is frozen', () => {
  let server: ZooKeeperProcess

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  it('costs nothing but time when it wakes before the read timeout', async () => {
    const proxy = await TcpProxy.start({ target: server.port, framed: true })
    onTestFinished(() => proxy.stop())
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create('/brief', 'old')
    const events = new Log<WatchEvent>()
    await zk.get('/brief', { watch: events.add })
    const pings = recordPings(proxy)

    await server.pause()
    // A third of the session's timeout has passed in silence when the client pings.
    await pings.until((entry) => entry === 'ping')
    const written = zk.set('/brief', 'new')
    const read = zk.get('/brief')
    server.resume()

    await pings.until((entry) => entry === 'answer')
    expect((await written).version).toBe(1)
    expect((await read).stat.version).toBe(1)
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/brief' }])
    expect(history.names).toEqual(['session:connected'])
  })

  it('is given up at the read timeout, and taken again within the session', async () => {
    const { zk, history } = await connectClient({ servers: server.connectString })
    const { sessionId } = zk
    await zk.create('/longer', 'old', { mode: 'ephemeral' })
    await zk.create('/made')
    const events = new Log<WatchEvent>()
    await zk.get('/longer', { watch: events.add })

    await server.pause()
    const cutOff = zk.create('/made/n', '', { sequential: true }).catch((error: unknown) => error)
    const read = zk.get('/longer')
    const { payload } = await history.until('session:suspended')
    expect(payload.reason.code).toBe('ZK_READ_TIMEOUT')
    expect(await cutOff).toMatchObject({ code: 'ZK_CONNECTION_LOSS', outcomeUnknown: true })
    server.resume()

    await history.until('session:reconnected')
    expect((await read).stat.ephemeralOwner).toBe(sessionId)
    // It was in the server's socket: carried out after all, or dropped, but not twice.
    expect((await zk.children('/made')).stat.cversion).toBeLessThanOrEqual(1)
    await zk.set('/longer', 'new')
    await zk.catchUp()
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/longer' }])
    expect(zk.sessionId).toBe(sessionId)
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })

  it('has expired the session when it was frozen for longer than that', async () => {
    const servers = server.connectString
    const observer = await connectClient({ servers, sessionTimeout: 30_000 })
    const gate = new Gate()
    const { transport } = gate
    const { zk, history } = await connectClient({ servers, transport, sessionTimeout: 1_500 })
    const { sessionId } = zk
    await zk.create('/expires', 'old', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await zk.get('/expires', { watch: events.add })
    const gone = new Log<WatchEvent>()
    await observer.zk.exists('/expires', { watch: gone.add })

    // Without the gate, reconnecting and expiring would race for the session when the server wakes.
    gate.close()
    await server.pause()
    await history.until('session:lost')
    const waited = zk.get('/expires').catch((error: unknown) => error)
    server.resume()
    await gone.atLeast(1)
    gate.open()

    expect((await history.until('session:expired')).payload).toEqual({
      sessionId,
      reason: 'expired',
    })
    expect(await waited).toMatchObject({ code: 'ZK_SESSION_EXPIRED', outcomeUnknown: false })
    const { payload } = await history.until('session:renewed')
    expect(payload).toMatchObject({ sessionId: zk.sessionId, formerSessionId: sessionId })
    await zk.create('/expires', 'new', { mode: 'ephemeral' })
    expect(events.entries).toEqual([{ type: 'deleted', path: '/expires' }])
    expect(history.names).toEqual([
      'session:connected',
      'session:suspended',
      'session:lost',
      'session:expired',
      'session:renewed',
    ])
    expect(observer.history.names).toEqual(['session:connected'])
  })

  it('is not waited for by a first connect', async () => {
    await server.pause()
    const servers = server.connectString
    const connecting = connectClient({ servers, sessionTimeout: 1_000, connectTimeout: 2_500 })
    await expect(connecting).rejects.toMatchObject({
      code: 'ZK_CONNECT_FAILED',
      message: expect.stringMatching(
        /accepted the connection but did not answer the handshake/,
      ) as string,
    })
    server.resume()
    await connectClient({ servers })
  })
})
