/** What goes wrong with the npm package zookeeper 7.3.0, one test for each bug. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inspect } from 'node:util'
import { networkTransport, type WatchEvent } from '@elasticjob/zookeeper'
import { expireSession } from '../harness/expire-session.ts'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults } from './clients.ts'
import { Log } from './log.ts'
import { createSome, manyPaths, recordWatchRequests } from './many-watches.ts'

faults('unlike zookeeper, the client', () => {
  let server: ZooKeeperProcess
  let proxy: TcpProxy

  beforeAll(async () => {
    server = await startStandalone()
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

  it('means any version when no version is given', async () => {
    const { zk } = await connectClient({ servers: server.connectString })
    await zk.create('/unversioned')
    for (const absent of [{}, { version: undefined as never }, { version: null as never }]) {
      await zk.set('/unversioned', 'text', absent)
    }
    expect((await zk.exists('/unversioned'))?.version).toBe(3)
    await zk.delete('/unversioned', { version: undefined as never })
    expect(await zk.exists('/unversioned')).toBeUndefined()
  })

  it('never takes a failure for the absence of a node', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create('/present')
    proxy.refuse()
    proxy.dropAll()
    await history.until('session:suspended')
    await expect(zk.exists('/present', { whileDisconnected: 'fail' })).rejects.toMatchObject({
      code: 'ZK_NOT_CONNECTED',
    })
    const waiting = zk.exists('/present')
    await proxy.accept()
    expect(await waiting).toBeDefined()
    await zk.close()
    await expect(zk.exists('/present')).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })

  it('takes null for no data when it creates', async () => {
    const { zk } = await connectClient({ servers: server.connectString })
    for (const [path, nothing] of [
      ['/null', null],
      ['/undefined', undefined],
    ] as const) {
      expect((await zk.create(path, nothing)).stat.dataLength).toBe(0)
      expect((await zk.get(path)).data).toHaveLength(0)
    }
  })

  it('lives on, the same object, when its session has expired', async () => {
    const { zk, history } = await connectClient({ servers: server.connectString })
    const others = await connectClient({ servers: server.connectString })
    await zk.create('/lives')
    const events = new Log<WatchEvent>()
    await zk.get('/lives', { watch: events.add })
    await expireSession(server.connectString, zk.sessionId, zk.sessionPassword)
    await history.until('session:renewed')
    expect(zk.state).toBe('connected')
    await others.zk.set('/lives', 'new')
    expect((await zk.get('/lives')).stat.version).toBe(1)
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/lives' }])
  })

  it('registers more lasting watches after a reconnect than fit into one request', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    const others = await connectClient({ servers: server.connectString })
    const events = new Log<WatchEvent>()
    await Promise.all(manyPaths.map((path) => zk.addWatch(path, 'persistent', events.add)))
    const sizes = recordWatchRequests(proxy)
    proxy.dropAll()
    await history.until('session:reconnected')
    await zk.catchUp()

    expect(Math.max(...sizes)).toBeLessThan(0xfffff)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(0xfffff)
    const created = await createSome(others.zk)
    await zk.catchUp()
    expect(events.entries).toEqual(created.map((path) => ({ type: 'created', path })))
    expect(zk.watchCount).toBe(manyPaths.length)
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })

  it('tells watchers of nodes what happens to nodes, and nothing of sessions', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create('/watched')
    const events = new Log<WatchEvent>()
    await zk.get('/watched', { watch: events.add })
    await zk.exists('/absent', { watch: events.add })
    await zk.addWatch('/watched', 'recursive', events.add)
    proxy.dropAll()
    await history.until('session:reconnected')
    await expireSession(server.connectString, zk.sessionId, zk.sessionPassword)
    await history.until('session:renewed')
    await zk.catchUp()
    expect(events.entries).toEqual([])
    await zk.set('/watched', 'new')
    const changed = { type: 'dataChanged', path: '/watched' }
    expect(events.entries).toEqual([changed, changed])
    await zk.close()
    expect(events.entries).toHaveLength(2)
  })

  it('does not look into its arguments to describe them to nobody', async () => {
    const { zk } = await connectClient({ servers: server.connectString })
    const looked: string[] = []
    const data = Object.assign(Buffer.from('text'), {
      [inspect.custom]: () => looked.push('data'),
      toString: () => String(looked.push('data as text')),
    })
    const options = { timeout: 10_000, [inspect.custom]: () => looked.push('options') }
    await zk.create('/described', data, options)
    await zk.set('/described', data, options)
    await zk.get('/described', options)
    expect(looked).toEqual([])
  })

  it('says which name cannot be resolved, and is not blocked meanwhile', async () => {
    const turns: string[] = []
    const network = networkTransport()
    const connecting = connectClient({
      servers: 'nowhere.invalid:2181',
      sessionTimeout: 1_000,
      connectTimeout: 1_500,
      transport: {
        ...network,
        resolve: (host) => {
          turns.push('asked')
          setImmediate(() => turns.push('others had their turn'))
          return network.resolve(host).finally(() => turns.push('answered'))
        },
      },
    })
    // A name service that cannot be reached at all may not answer in time, which is told as well.
    await expect(connecting).rejects.toMatchObject({
      code: 'ZK_CONNECT_FAILED',
      message: expect.stringContaining('nowhere.invalid cannot be resolved: ') as string,
    })
    expect(turns.slice(0, 2)).toEqual(['asked', 'others had their turn'])
  })
})
