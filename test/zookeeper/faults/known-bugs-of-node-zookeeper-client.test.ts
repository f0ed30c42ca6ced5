/**
 * What goes wrong with the npm package node-zookeeper-client 1.1.3, one test for each bug. One of the
 * twelve needs no server and is tested with the connection: requests that fail for good once two
 * billion were sent.
 */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { creatorAcl, part, toText, type WatchEvent } from '@elasticjob/zookeeper'
import { expireSession } from '../harness/expire-session.ts'
import { FakeServer, neverAnswers } from '../harness/fake-server.ts'
import { loseNextReply } from '../harness/lose-reply.ts'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, inListedOrder, prepareClient } from './clients.ts'
import { Log } from './log.ts'
import { createSome, manyPaths, recordWatchRequests } from './many-watches.ts'

faults('unlike node-zookeeper-client, the client', () => {
  let server: ZooKeeperProcess
  let proxy: TcpProxy

  beforeAll(async () => {
    server = await startStandalone({ config: { enforceQuota: true } })
    proxy = await TcpProxy.start({ target: server.port, framed: true })
  })
  afterAll(async () => {
    await proxy.stop()
    await server.stop()
  })
  beforeEach(() => {
    proxy.onClientFrame = undefined
    proxy.onServerFrame = undefined
  })

  it('means version 0 in a transaction when it says version 0', async () => {
    const { zk } = await connectClient({ servers: server.connectString })
    await zk.create('/versioned', 'zero')
    await zk.set('/versioned', 'one')
    for (const refused of [
      part.check('/versioned', 0),
      part.set('/versioned', 'lost update', 0),
      part.delete('/versioned', 0),
    ]) {
      await expect(zk.multi([refused])).rejects.toMatchObject({ code: 'ZK_BAD_VERSION', index: 0 })
    }
    const { data, stat } = await zk.get('/versioned')
    expect([toText(data), stat.version]).toEqual(['one', 1])

    await zk.create('/fresh')
    await zk.multi([part.check('/fresh', 0), part.delete('/fresh', 0)])
    expect(await zk.exists('/fresh')).toBeUndefined()
  })

  it('survives every error code, known to it or not', async () => {
    const { zk } = await connectClient({ servers: proxy.connectString })
    await zk.create('/limited')
    const quota = '/zookeeper/quota/limited'
    const limits = 'count=-1,bytes=-1=;byteHardLimit=10;countHardLimit=-1'
    await zk.create(`${quota}/zookeeper_limits`, limits, { parents: true })
    await zk.create(`${quota}/zookeeper_stats`, 'count=1,bytes=0')
    await expect(zk.set('/limited', 'more than ten bytes')).rejects.toMatchObject({
      code: 'ZK_QUOTA_EXCEEDED',
      errno: -125,
      operation: 'set',
      path: '/limited',
    })

    for (const errno of [-118, -119, -121, -122, -124, -127, -999, 7]) {
      proxy.onServerFrame = ({ index, payload }) => {
        if (index > 0) payload.writeInt32BE(errno, 12)
        proxy.onServerFrame = undefined
        return 'pass'
      }
      await expect(zk.sync()).rejects.toMatchObject({ name: 'ZooKeeperError', errno })
    }
    expect(await zk.exists('/limited')).toBeDefined()
  })

  it('notices a partition before others see the end of its session', async () => {
    const cut = await TcpProxy.start({ target: server.port })
    onTestFinished(() => cut.stop())
    const { zk, history } = await connectClient({
      servers: cut.connectString,
      sessionTimeout: 2_000,
    })
    const observer = await connectClient({ servers: server.connectString })
    await zk.create('/leads', '', { mode: 'ephemeral' })
    const gone = new Log<WatchEvent & { at: number }>()
    await observer.zk.exists('/leads', {
      watch: (event) => gone.add({ ...event, at: performance.now() }),
    })
    cut.blackHole()
    const suspended = await history.until('session:suspended')
    expect(suspended.at).toBeLessThan((await gone.until(({ type }) => type === 'deleted')).at)
    cut.pass()
    await history.until('session:renewed')
  })

  it('does not wait for ever for a server that accepts and never answers', async () => {
    const mute = await FakeServer.start(neverAnswers())
    onTestFinished(() => mute.stop())
    const { zk } = await connectClient({
      servers: [mute.connectString, server.connectString],
      random: inListedOrder,
      sessionTimeout: 1_000,
    })
    expect(mute.connections).toHaveLength(1)
    expect(await zk.exists('/')).toBeDefined()
  })

  it('answers a request that was waiting for a connection when the session expired', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    proxy.refuse()
    proxy.dropAll()
    await history.until('session:suspended')
    const waiting = [zk.get('/'), zk.create('/waiting')].map((call) =>
      call.catch((error: unknown) => error),
    )
    await expireSession(server.connectString, zk.sessionId, zk.sessionPassword)
    await proxy.accept()
    for (const outcome of await Promise.all(waiting)) {
      expect(outcome).toMatchObject({ code: 'ZK_SESSION_EXPIRED', outcomeUnknown: false })
    }
    await history.until('session:renewed')
    expect(await zk.exists('/waiting')).toBeUndefined()
  })

  it('never presents a session again that has expired', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    const expired = zk.sessionId
    await expireSession(server.connectString, expired, zk.sessionPassword)
    await history.until('session:renewed')
    const presented: bigint[] = []
    proxy.onClientFrame = ({ index, payload }) => {
      if (index === 0) presented.push(payload.readBigInt64BE(16))
      return 'pass'
    }
    const told = history.names.length
    proxy.dropAll()
    await history.until('session:reconnected', told)
    expect(presented).toEqual([zk.sessionId])
    expect(zk.sessionId).not.toBe(expired)
    expect(zk.state).toBe('connected')
    expect(await zk.exists('/')).toBeDefined()
  })

  it('proves who it is before it sends what waited for the connection', async () => {
    const auth = [{ scheme: 'digest', auth: 'user:secret' }]
    const { zk, history } = await connectClient({ servers: proxy.connectString, auth })
    await zk.create('/secret', 'text', { acl: creatorAcl })
    proxy.refuse()
    proxy.dropAll()
    await history.until('session:suspended')
    const waiting = zk.get('/secret')
    await proxy.accept()
    expect(toText((await waiting).data)).toBe('text')
  })

  it('registers more watches after a reconnect than fit into one request', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    const others = await connectClient({ servers: server.connectString })
    const events = new Log<WatchEvent>()
    await Promise.all(manyPaths.map((path) => zk.exists(path, { watch: events.add })))
    const sizes = recordWatchRequests(proxy)
    proxy.dropAll()
    await history.until('session:reconnected')
    await zk.catchUp()

    expect(Math.max(...sizes)).toBeLessThan(0xfffff)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(0xfffff)
    expect(events.entries).toEqual([])
    const created = await createSome(others.zk)
    await zk.catchUp()
    expect(events.entries).toEqual(created.map((path) => ({ type: 'created', path })))
    expect(zk.watchCount).toBe(manyPaths.length - created.length)
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })

  it('can be closed in the very moment in which it connects', async () => {
    const { zk, history } = prepareClient({ servers: server.connectString })
    const connecting = zk.connect()
    const closing = zk.close()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await closing
    expect(zk.sessionId).toBe(0n)
    expect(history.names).toEqual(['session:closed'])
  })

  it('takes null for no data when it sets', async () => {
    const { zk } = await connectClient({ servers: server.connectString })
    await zk.create('/emptied', 'text')
    // Whoever writes JavaScript may pass it, whatever the types say.
    expect((await zk.set('/emptied', null as never)).dataLength).toBe(0)
    expect((await zk.get('/emptied')).data).toHaveLength(0)
  })

  it('makes one node of one sequential create, whatever becomes of the connection', async () => {
    const { zk } = await connectClient({ servers: proxy.connectString })
    await zk.create('/line')
    const create = 15
    const lost = loseNextReply(proxy, create)
    const { path } = await zk.create('/line/n', '', { sequential: true, protect: true })
    await lost
    const { children, stat } = await zk.children('/line')
    expect(children.map((name) => `/line/${name}`)).toEqual([path])
    expect(stat.cversion).toBe(1)
  })
})
