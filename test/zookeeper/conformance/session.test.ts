import { ZooKeeper, type ZooKeeperOptions } from '@elasticjob/zookeeper'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import { cutOff, letBack, reconnect } from './outage.ts'
import { next, recordEvents } from './recorder.ts'
import { firstPort, sessionLives } from './session-probe.ts'
import { conformance, expect, it } from './support.ts'

conformance('a session', () => {
  it('has an id, a password and a timeout', async ({ zk }) => {
    expect(zk.sessionId).not.toBe(0n)
    expect(zk.sessionPassword).toHaveLength(16)
    expect(zk.sessionTimeout).toBeGreaterThan(0)
    expect(zk.state).toBe('connected')
  })

  it('has an id of its own', async ({ zk, other }) => {
    expect(zk.sessionId).not.toBe(other.sessionId)
  })

  it('is announced when it exists', async ({ clients }) => {
    const zk = clients.prepare()
    const connected = next(zk, 'session:connected')
    expect(zk.state).toBe('connecting')
    await zk.connect()
    expect(await connected).toEqual({
      sessionId: zk.sessionId,
      timeout: zk.sessionTimeout,
      server: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    })
  })

  it('gets the timeout that it asks for, within the bounds of the server', async ({ clients }) => {
    const timeouts = async (asked: number): Promise<number> =>
      (await clients.connect({ sessionTimeout: asked })).sessionTimeout
    expect(await timeouts(7_000)).toBe(7_000)
    expect(await timeouts(900)).toBeGreaterThan(900)
    expect(await timeouts(2 ** 31 - 1)).toBeLessThan(2 ** 31 - 1)
  })

  it('remembers the last zxid that it has seen', async ({ zk }) => {
    const { stat } = await zk.create('/a')
    expect(zk.lastZxid).toBe(stat.czxid)
    const { mzxid } = await zk.set('/a', '')
    expect(zk.lastZxid).toBe(mzxid)
  })

  it('lives on over a lost connection', async ({ proxied: zk, proxy }) => {
    const { sessionId } = zk
    const events = recordEvents(zk)
    await zk.create('/e', '', { mode: 'ephemeral' })
    await reconnect(zk, proxy)
    expect(events.seen).toEqual(['session:suspended', 'session:reconnected'])
    expect(zk.sessionId).toBe(sessionId)
    expect((await zk.exists('/e'))?.ephemeralOwner).toBe(sessionId)
  })

  it('lives on when its connection is lost again and again', async ({ proxied: zk, proxy }) => {
    const { sessionId } = zk
    for (let round = 0; round < 5; round++) {
      await reconnect(zk, proxy)
      await zk.catchUp()
    }
    expect(zk.sessionId).toBe(sessionId)
  })

  it('is suspended while there is no connection', async ({ proxied: zk, proxy }) => {
    const suspended = next(zk, 'session:suspended')
    await cutOff(zk, proxy)
    expect(zk.state).toBe('suspended')
    expect(await suspended).toMatchObject({
      sessionId: zk.sessionId,
      reason: { code: 'ZK_CONNECTION_CLOSED' },
    })
    await letBack(zk, proxy)
    expect(zk.state).toBe('connected')
  })

  it('goes on at another server', async ({ target, clients }) => {
    const ports = [...target.connectString.matchAll(/:(\d+)/g)].map(([, port]) => Number(port))
    const proxies = await Promise.all(
      [firstPort(target.connectString), ports.at(-1) ?? 0].map((port) =>
        TcpProxy.start({ target: port, framed: true }),
      ),
    )
    const servers = proxies.map(({ connectString }) => connectString).join(',')
    const zk = await clients.connect({ via: { connectString: servers } })
    const { sessionId } = zk
    const used = proxies.find(({ connectionCount }) => connectionCount > 0)
    const reconnected = next(zk, 'session:reconnected')
    used?.refuse()
    used?.dropAll()
    expect((await reconnected).server).not.toBe(used?.connectString)
    expect(zk.sessionId).toBe(sessionId)
    await zk.create('/a')
    await clients.closeAll()
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  })

  it('that somebody takes over is taken back', async ({ proxied: zk, target }) => {
    const { sessionId } = zk
    const reconnected = next(zk, 'session:reconnected')
    expect(await sessionLives(target.connectString, sessionId, zk.sessionPassword)).toBe(true)
    await reconnected
    expect(zk.sessionId).toBe(sessionId)
    await zk.create('/a')
  })

  it('cannot be taken over with a wrong password', async ({ zk, target }) => {
    const { sessionId } = zk
    const password = new Uint8Array(16).fill(7)
    expect(await sessionLives(target.connectString, sessionId, password)).toBe(false)
    expect(await zk.exists('/')).toBeDefined()
    expect(zk.sessionId).toBe(sessionId)
  })
})

conformance('connect', () => {
  it('may be called twice', async ({ clients }) => {
    const zk = clients.prepare()
    expect(await Promise.all([zk.connect(), zk.connect()])).toEqual([zk, zk])
  })

  it('lets requests wait that were made before', async ({ clients }) => {
    const zk = clients.prepare()
    const early = zk.catchUp().then(() => zk.exists('/'))
    await zk.connect()
    expect(await early).toBeDefined()
  })

  it('fails when no server answers in time, and says why', async ({ clients, proxy }) => {
    proxy.refuse()
    const zk = clients.prepare({ via: proxy, connectTimeout: 500 })
    const connecting = zk.connect()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
    await expect(connecting).rejects.toThrow(/no session within 500 ms.*ECONNREFUSED/)
    expect(zk.state).toBe('closed')
  })

  it('fails when a server accepts and never answers', async ({ clients, proxy }) => {
    proxy.blackHole()
    const zk = clients.prepare({ via: proxy, connectTimeout: 50 })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
  })

  it('fails when the client is closed meanwhile', async ({ clients, proxy }) => {
    proxy.refuse()
    const zk = clients.prepare({ via: proxy })
    const connecting = zk.connect()
    await zk.close()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })

  it('fails after close', async ({ clients }) => {
    const zk = clients.prepare()
    await zk.close()
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })

  it.for([
    ['no server', { servers: '' }],
    ['no timeout', { sessionTimeout: 0 }],
    ['no room for requests', { maxOutstanding: -1 }],
    ['a timeout that is no number', { requestTimeout: Number.NaN }],
  ] as const)('refuses options with %s', async ([, options], { target }) => {
    const all: ZooKeeperOptions = { servers: target.connectString, ...options }
    await expect(ZooKeeper.connect(all)).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
  })
})

conformance('close', () => {
  it('ends the session at the server', async ({ zk, target }) => {
    const { sessionId, sessionPassword } = zk
    await zk.close()
    expect(await sessionLives(target.connectString, sessionId, sessionPassword)).toBe(false)
  })

  it('answers the requests before it first', async ({ zk, inspector, root }) => {
    const requests = Array.from({ length: 100 }, (_, index) => zk.create(`/${index}`))
    const closed = zk.close()
    await expect(Promise.all(requests)).resolves.toHaveLength(100)
    await closed
    await inspector.sync()
    expect((await inspector.exists(root))?.numChildren).toBe(100)
  })

  it('refuses the requests after it', async ({ zk }) => {
    const closed = zk.close()
    await expect(zk.exists('/')).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await closed
    await expect(zk.exists('/')).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })

  it('may be called twice', async ({ zk }) => {
    const closed = next(zk, 'session:closed')
    await Promise.all([zk.close(), zk.close()])
    await zk.close()
    expect(await closed).toEqual({ error: undefined })
    expect(zk.state).toBe('closed')
  })

  it('fails the requests that wait for a connection', async ({ proxied: zk, proxy }) => {
    await cutOff(zk, proxy)
    const waiting = zk.exists('/')
    const adding = zk.addAuth('digest', 'a:b')
    const closed = zk.close()
    await expect(waiting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await expect(adding).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await closed
  })

  it('does not wait for a server that does not answer', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, sessionTimeout: 1_000 })
    proxy.blackHole()
    const request = zk.create('/a')
    const closed = zk.close()
    await expect(request).rejects.toMatchObject({ outcomeUnknown: true })
    await closed
    expect(zk.outstanding).toBe(0)
  })

  it('right after connect leaves nothing behind', async ({ clients, proxy }) => {
    const zk = clients.prepare({ via: proxy })
    const connecting = zk.connect()
    const closed = zk.close()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await closed
    expect(zk.sessionId).toBe(0n)
  })

  it('happens at the end of a block that uses the client', async ({ clients }) => {
    const zk = await clients.connect()
    await zk[Symbol.asyncDispose]()
    expect(zk.state).toBe('closed')
  })
})
