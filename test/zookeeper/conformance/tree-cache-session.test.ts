import { part, TreeCache, type ZooKeeper } from '@elasticjob/zookeeper'
import type { TcpProxy } from '../harness/tcp-proxy.ts'
import { opcode, requestOf } from './opcodes.ts'
import { next, Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'
import { TreeHistory } from './tree-history.ts'
import { cacheView, serverView } from './tree-view.ts'

const multiReadOpcode = 22

/** Cuts a client off, does something, and lets it connect again. */
async function whileCutOff(
  zk: ZooKeeper,
  proxy: TcpProxy,
  act: () => Promise<unknown>,
): Promise<void> {
  const suspended = next(zk, 'session:suspended')
  proxy.refuse()
  proxy.dropAll()
  await suspended
  await act()
  await proxy.accept()
}

/** The next time that a cache has read everything. */
function current(cache: TreeCache): Promise<unknown> {
  return new Promise((resolve) => {
    cache.once('cache:current', resolve)
  })
}

conformance('a tree cache and its session', () => {
  it('tells after a reconnect what it missed, once', async ({ proxied, proxy, other }) => {
    await other.multi([
      part.create('/tree'),
      part.create('/tree/stays'),
      part.create('/tree/changes'),
      part.create('/tree/goes'),
      part.create('/tree/goes/below'),
      part.create('/tree/is-replaced'),
      part.create('/tree/is-replaced/old'),
    ])
    await proxied.sync()
    const cache = new TreeCache(proxied, '/tree')
    await cache.start()
    const history = new TreeHistory(cache)
    Object.assign(history.view, cacheView(cache))
    const reloaded = current(cache)
    await whileCutOff(proxied, proxy, () =>
      other.multi([
        part.set('/tree/changes', 'new'),
        part.delete('/tree/goes/below'),
        part.delete('/tree/goes'),
        part.delete('/tree/is-replaced/old'),
        part.delete('/tree/is-replaced'),
        part.create('/tree/is-replaced'),
        part.create('/tree/is-replaced/new'),
        part.create('/tree/comes'),
        part.create('/tree/comes/below'),
      ]),
    )
    await reloaded
    expect(history.told.seen.toSorted()).toEqual([
      'changed /tree/changes',
      'created /tree/comes',
      'created /tree/comes/below',
      'created /tree/is-replaced',
      'created /tree/is-replaced/new',
      'removed /tree/goes',
      'removed /tree/goes/below',
      'removed /tree/is-replaced',
      'removed /tree/is-replaced/old',
    ])
    expect(history.contradictions).toEqual([])
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })

  it('tells nothing after a reconnect if nothing happened', async ({ proxied, proxy }) => {
    await proxied.create('/tree/a/b', '', { parents: true })
    const cache = new TreeCache(proxied, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    const reloaded = current(cache)
    proxy.dropAll()
    await reloaded
    expect(history.told.seen).toEqual(['created /tree', 'created /tree/a', 'created /tree/a/b'])
  })

  it('notices after a reconnect that its root has gone', async ({ proxied, proxy, other }) => {
    await other.create('/tree/a', '', { parents: true })
    await proxied.sync()
    const cache = new TreeCache(proxied, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    const reloaded = current(cache)
    await whileCutOff(proxied, proxy, () => other.deleteRecursive('/tree'))
    await reloaded
    expect(history.told.seen.slice(2)).toEqual(['removed /tree/a', 'removed /tree'])
    expect(cache.size).toBe(0)
  })

  it('follows what happens after a reconnect', async ({ proxied, proxy, other }) => {
    await other.create('/tree')
    await proxied.sync()
    const cache = new TreeCache(proxied, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    const reloaded = current(cache)
    proxy.dropAll()
    await reloaded
    await other.create('/tree/a')
    expect(await history.told.atLeast(2)).toEqual(['created /tree', 'created /tree/a'])
  })

  it('goes on with a new session after its own has expired', async ({ zk, other, target }) => {
    await other.create('/tree')
    await zk.create('/tree/mine', '', { mode: 'ephemeral' })
    const cache = new TreeCache(zk, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    const reloaded = current(cache)
    await target.expireSession(zk.sessionId, zk.sessionPassword)
    await reloaded
    await other.create('/tree/a')
    await history.told.atLeast(4)
    expect(history.told.seen).toEqual([
      'created /tree',
      'created /tree/mine',
      'removed /tree/mine',
      'created /tree/a',
    ])
  })

  // Wherever the connection is lost while the tree is read, all of it is there in the end.
  for (const request of [1, 2, 3, 4, 5]) {
    it(`loads all, though request ${request} for it is cut off`, async ({ proxied, proxy }) => {
      await proxied.create('/tree/a/b/c', '', { parents: true })
      await proxied.create('/tree/a/b/d')
      const cache = new TreeCache(proxied, '/tree')
      const history = new TreeHistory(cache)
      const reconnected = next(proxied, 'session:reconnected')
      let requests = 0
      proxy.onClientFrame = (frame) => {
        const isCutOff = requestOf(frame) === multiReadOpcode && ++requests === request
        return isCutOff ? 'drop' : 'pass'
      }
      await cache.start()
      await reconnected
      expect(cacheView(cache)).toEqual(await serverView(proxied, '/tree'))
      expect(history.view).toEqual(cacheView(cache))
      expect(history.contradictions).toEqual([])
    })
  }

  it('finds a child whose reading was cut off after that of its parent', async ({
    proxied,
    proxy,
    other,
  }) => {
    await other.create('/tree/p', '', { parents: true })
    await proxied.sync()
    const cache = new TreeCache(proxied, '/tree')
    await cache.start()
    const reloaded = current(cache)
    const reads: number[] = []
    proxy.onClientFrame = (frame) => {
      if (requestOf(frame) === opcode.getData) reads.push(frame.payload.readInt32BE(0))
      return 'pass'
    }
    proxy.onServerFrame = ({ index, payload }) =>
      index > 0 && payload.readInt32BE(0) === reads[1] ? 'drop' : 'pass'
    await other.multi([part.set('/tree/p', 'new'), part.create('/tree/p/child')])
    await reloaded
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
    expect(cache.has('/tree/p/child')).toBe(true)
  })

  it('does not take for absent what a server refuses to read for a moment', async ({
    proxied,
    proxy,
    other,
  }) => {
    await other.create('/tree/a', 'old', { parents: true })
    await proxied.sync()
    const cache = new TreeCache(proxied, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    const reloaded = current(cache)
    let refused: number | undefined
    proxy.onClientFrame = (frame) => {
      if (requestOf(frame) === opcode.getData) refused ??= frame.payload.readInt32BE(0)
      return 'pass'
    }
    proxy.onServerFrame = ({ index, payload }) => {
      // The error of the reply becomes THROTTLED_OP.
      if (index > 0 && payload.readInt32BE(0) === refused) payload.writeInt32BE(-127, 12)
      return 'pass'
    }
    await other.set('/tree/a', 'new')
    await reloaded
    expect(refused).toBeDefined()
    expect(history.told.seen).toEqual(['created /tree', 'created /tree/a', 'changed /tree/a'])
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })

  it('says how far it can be trusted', async ({ proxied, proxy, other }) => {
    await other.create('/tree')
    await proxied.sync()
    const cache = new TreeCache(proxied, '/tree')
    const told = new Recorder<string>()
    cache.on('cache:current', () => told.record(`current ${cache.freshness.state}`))
    cache.on('cache:stale', () => told.record(`stale ${cache.freshness.state}`))
    expect(cache.freshness).toEqual({ state: 'unloaded', zxid: 0n })
    await cache.start()
    expect(cache.freshness.state).toBe('current')
    const { stat } = await other.create('/tree/a')
    await cache.sync()
    expect(cache.freshness.state).toBe('current')
    expect(cache.freshness.zxid).toBeGreaterThanOrEqual(stat.czxid)
    await whileCutOff(proxied, proxy, async () => {
      expect(cache.freshness.state).toBe('stale')
      expect(cache.freshness.zxid).toBeGreaterThanOrEqual(stat.czxid)
      expect([...cache.paths()]).toEqual(['/tree', '/tree/a'])
    })
    await cache.settled()
    expect(cache.freshness.state).toBe('current')
    expect(told.seen).toEqual(['current current', 'stale stale', 'current current'])
  })
})
