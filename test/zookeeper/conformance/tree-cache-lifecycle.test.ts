import { TreeCache, type WatchEvent, type ZooKeeper } from '@elasticjob/zookeeper'
import { HoldingNetwork } from './holding-network.ts'
import { specialXid } from './opcodes.ts'
import { next, Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'
import { TreeHistory } from './tree-history.ts'
import { cacheView, serverView } from './tree-view.ts'

conformance('the life of a tree cache', () => {
  it('knows nothing before it is loaded, and says so', async ({ zk }) => {
    const cache = new TreeCache(zk, '/tree')
    const pendingReads = [
      () => cache.get('/tree'),
      () => cache.has('/tree'),
      () => cache.stat('/tree'),
      () => cache.children('/tree'),
      () => cache.paths(),
      () => cache.size,
    ]
    const isUnknown: unknown = expect.objectContaining({ code: 'ZK_NOT_LOADED' })
    for (const question of pendingReads) expect(question).toThrow(isUnknown)
    await cache.start()
    for (const question of pendingReads) expect(question).not.toThrow()
    await cache.stop()
    for (const question of pendingReads) expect(question).toThrow(isUnknown)
  })

  it('has one start', async ({ zk }) => {
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    await expect(cache.start()).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
    await cache.stop()
    await expect(cache.start()).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
  })

  it('may end before it began', async ({ zk }) => {
    const cache = new TreeCache(zk, '/tree')
    await cache.stop()
    await expect(cache.start()).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
    expect(zk.watchCount).toBe(0)
  })

  for (const [moment, answers] of [
    ['it asks for its watch', 0],
    ['it reads', 1],
  ] as const) {
    it(`may end while ${moment}`, async ({ clients, other }) => {
      await other.create('/tree')
      const network = new HoldingNetwork()
      const zk = await clients.connect({ transport: network.transport })
      const before = listenersOf(zk)
      const cache = new TreeCache(zk, '/tree')
      network.hold(answers)
      const starting = cache.start()
      await network.holds(1)
      const stopping = cache.stop()
      network.release()
      await expect(starting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
      await stopping
      expect(zk.watchCount).toBe(0)
      expect(listenersOf(zk)).toEqual(before)
    })
  }

  it('may end without a connection', async ({ proxied, proxy }) => {
    const cache = new TreeCache(proxied, '/tree')
    const suspended = next(proxied, 'session:suspended')
    proxy.refuse()
    proxy.dropAll()
    await suspended
    const starting = cache.start()
    const stopping = cache.stop()
    await expect(starting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await stopping
    expect(proxied.watchCount).toBe(0)
    await proxy.accept()
  })

  it('has ended for everybody who ends it', async ({ clients }) => {
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport })
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    const ended: string[] = []
    network.hold()
    const first = cache.stop().then(() => ended.push('first'))
    const second = cache.stop().then(() => ended.push('second'))
    await network.holds(1)
    expect(ended).toEqual([])
    network.release()
    await Promise.all([first, second])
  })

  it('leaves no listener and no watch behind', async ({ proxied, proxy, other }) => {
    await other.create('/tree')
    await proxied.sync()
    const before = listenersOf(proxied)
    const cache = new TreeCache(proxied, '/tree')
    await cache.start()
    await cache.stop()
    expect(listenersOf(proxied)).toEqual(before)
    expect(proxied.watchCount).toBe(0)
    let notifications = 0
    proxy.onServerFrame = ({ index, payload }) => {
      if (index > 0 && payload.readInt32BE(0) === specialXid.notification) notifications++
      return 'pass'
    }
    await other.set('/tree', 'changed')
    await other.create('/tree/a')
    await proxied.sync()
    expect(notifications).toBe(0)
  })

  it('leaves another cache of the same path alone', async ({ zk, other }) => {
    await zk.create('/tree')
    const leaving = new TreeCache(zk, '/tree')
    const staying = new TreeCache(zk, '/tree')
    await Promise.all([leaving.start(), staying.start()])
    await leaving.stop()
    await other.create('/tree/a')
    await staying.sync()
    expect([...staying.paths()]).toEqual(['/tree', '/tree/a'])
  })

  it('ends with its scope', async ({ zk }) => {
    {
      await using cache = new TreeCache(zk, '/tree')
      await cache.start()
    }
    expect(zk.watchCount).toBe(0)
  })

  it('ends with its client', async ({ clients }) => {
    const zk = await clients.connect()
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    await zk.close()
    expect(() => cache.size).toThrow(expect.objectContaining({ code: 'ZK_NOT_LOADED' }))
    await expect(cache.settled()).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await expect(new TreeCache(zk, '/tree').start()).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })

  it('may be ended by who listens to it', async ({ zk }) => {
    await zk.create('/tree/a', '', { parents: true })
    const cache = new TreeCache(zk, '/tree')
    const history = new TreeHistory(cache)
    cache.on('node:created', () => void cache.stop())
    await expect(cache.start()).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    expect(history.told.seen).toEqual(['created /tree'])
    expect(zk.watchCount).toBe(0)
  })

  it('is not ended by a one-shot watch on its root', async ({ zk, other }) => {
    await zk.create('/tree')
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    const events = new Recorder<WatchEvent>()
    await zk.get('/tree', { watch: events.record })
    await zk.exists('/tree', { watch: events.record })
    await zk.children('/tree', { watch: events.record })
    await other.set('/tree', 'changed')
    await other.create('/tree/a')
    await events.atLeast(2)
    await other.create('/tree/a/b')
    await other.set('/tree', 'again')
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
    expect(events.seen.map(({ type }) => type)).toEqual(['dataChanged', 'childrenChanged'])
  })
})

conformance('waiting for a tree cache', () => {
  it('is over when what was noticed has been read', async ({ clients, other }) => {
    await other.create('/tree')
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport })
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    network.hold(1)
    const { stat } = await other.create('/tree/a')
    await network.holds(1)
    expect(cache.freshness.state).toBe('updating')
    expect(cache.freshness.zxid).toBeLessThan(stat.czxid)
    expect(cache.has('/tree/a')).toBe(false)
    const settled = cache.settled()
    network.release()
    await settled
    expect(cache.freshness.state).toBe('current')
    expect(cache.freshness.zxid).toBeGreaterThanOrEqual(stat.czxid)
    expect(cache.has('/tree/a')).toBe(true)
  })

  it('shows what anybody has written before a sync', async ({ zk, other }) => {
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    await other.create('/tree')
    for (let i = 0; i < 50; i++) {
      await other.create(`/tree/${i}`)
      await cache.sync()
      expect(cache.has(`/tree/${i}`)).toBe(true)
    }
  })

  it('comes to an end though the tree never does', async ({ zk, other }) => {
    await zk.create('/tree')
    const enough = new AbortController()
    const writing = Array.from({ length: 20 }, async (_, writer) => {
      await other.create(`/tree/${writer}`)
      while (!enough.signal.aborted) await other.set(`/tree/${writer}`, 'again')
    })
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    for (let i = 0; i < 20; i++) {
      const { mzxid } = await zk.set('/tree', `${i}`)
      await cache.sync()
      expect(cache.stat('/tree')?.mzxid).toBe(mzxid)
      expect(cache.freshness.zxid).toBeGreaterThanOrEqual(mzxid)
    }
    enough.abort()
    await Promise.all(writing)
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })

  it('is in vain when the cache is stopped', async ({ zk }) => {
    const cache = new TreeCache(zk, '/tree')
    const waiting = cache.settled()
    const stopping = cache.stop()
    await expect(waiting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await stopping
  })

  it('comes to an end though there was no room for requests for a while', async ({
    clients,
    other,
  }) => {
    await other.create('/tree')
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport, maxOutstanding: 3 })
    const cache = new TreeCache(zk, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    network.hold()
    await other.create('/tree/a')
    await network.holds(1)
    const others = [zk.exists('/'), zk.exists('/'), zk.exists('/')]
    await network.holds(4)
    network.deliver(1)
    await new Promise(setImmediate)
    network.release()
    await Promise.all(others)
    await history.told.atLeast(2)
    await cache.settled()
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })
})

function listenersOf(zk: ZooKeeper): Record<string, number> {
  return Object.fromEntries(zk.eventNames().map((name) => [name, zk.listenerCount(name)]))
}
