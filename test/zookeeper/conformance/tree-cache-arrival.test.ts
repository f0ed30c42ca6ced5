import { TreeCache } from '@elasticjob/zookeeper'
import { HoldingNetwork } from './holding-network.ts'
import { conformance, expect, it } from './support.ts'
import { TreeHistory } from './tree-history.ts'
import { cacheView, serverView } from './tree-view.ts'

/**
 * Notifications that come in one piece with the reply before them: the client's promise of that reply
 * is settled behind them. Every test holds frames back until they are together.
 */
conformance('a tree cache, when replies and notifications arrive in one piece', () => {
  it('does not bring a node back that went after it was loaded', async ({ clients, other }) => {
    await other.create('/tree', 'old')
    const network = new HoldingNetwork()
    const cache = new TreeCache(await clients.connect({ transport: network.transport }), '/tree')
    network.hold(1)
    const started = cache.start()
    await network.holds(1)
    await other.delete('/tree')
    await network.holds(2)
    network.release()
    await started
    await cache.sync()
    expect([...cache.paths()]).toEqual([])
  })

  it('does not go back to what was loaded before a change', async ({ clients, other }) => {
    await other.create('/tree', 'old')
    const network = new HoldingNetwork()
    const cache = new TreeCache(await clients.connect({ transport: network.transport }), '/tree')
    const history = new TreeHistory(cache)
    network.hold(1)
    const started = cache.start()
    await network.holds(1)
    await other.set('/tree', 'new')
    await network.holds(2)
    network.release()
    await started
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
    expect(history.told.seen).toEqual(['created /tree', 'changed /tree'])
    expect(history.contradictions).toEqual([])
  })

  it('keeps the child of a node that was replaced while it was read', async ({
    clients,
    other,
  }) => {
    await other.create('/tree/p', '', { parents: true })
    const network = new HoldingNetwork()
    const cache = new TreeCache(await clients.connect({ transport: network.transport }), '/tree')
    await cache.start()
    const history = new TreeHistory(cache)
    Object.assign(history.view, cacheView(cache))
    network.hold(1)
    await other.set('/tree/p', 'read')
    await network.holds(1)
    await other.delete('/tree/p')
    await other.create('/tree/p')
    await other.create('/tree/p/child')
    await network.holds(4)
    network.release()
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
    expect(history.told.seen).toEqual([
      'changed /tree/p',
      'removed /tree/p',
      'created /tree/p',
      'created /tree/p/child',
    ])
    expect(history.contradictions).toEqual([])
  })

  it('tells changes in the order of their commits', async ({ clients, other }) => {
    await other.create('/tree/a', '', { parents: true })
    await other.create('/tree/b')
    const network = new HoldingNetwork()
    const cache = new TreeCache(await clients.connect({ transport: network.transport }), '/tree')
    await cache.start()
    const history = new TreeHistory(cache)
    network.hold(1)
    await other.set('/tree/a', 'read')
    await network.holds(1)
    await other.set('/tree/a', 'first')
    await other.set('/tree/b', 'second')
    await network.holds(3)
    network.release()
    await cache.sync()
    expect(history.told.seen).toEqual(['changed /tree/a', 'changed /tree/a', 'changed /tree/b'])
  })
})
