import { part, toText, TreeCache, type ZooKeeper } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'
import { TreeHistory } from './tree-history.ts'
import { cacheView, serverView } from './tree-view.ts'

/** A cache of a tree that exists, and what it tells from the beginning. */
async function cacheOf(zk: ZooKeeper): Promise<{ cache: TreeCache; history: TreeHistory }> {
  const cache = new TreeCache(zk, '/tree')
  const history = new TreeHistory(cache)
  await cache.start()
  return { cache, history }
}

conformance('a tree cache, when something changes', () => {
  it('tells of every node that it loads', async ({ zk }) => {
    await zk.create('/tree/a/b', '', { parents: true })
    const { history } = await cacheOf(zk)
    expect(history.told.seen).toEqual(['created /tree', 'created /tree/a', 'created /tree/a/b'])
  })

  it('tells of a creation, a change and a removal, once each', async ({ zk, other }) => {
    await zk.create('/tree')
    const { cache, history } = await cacheOf(zk)
    await other.create('/tree/a', 'one')
    await history.told.atLeast(2)
    expect(toText(cache.get('/tree/a')?.data as Uint8Array)).toBe('one')
    await other.set('/tree/a', 'two')
    await history.told.atLeast(3)
    expect(toText(cache.get('/tree/a')?.data as Uint8Array)).toBe('two')
    await other.delete('/tree/a')
    await history.told.atLeast(4)
    expect(cache.has('/tree/a')).toBe(false)
    await cache.sync()
    expect(history.told.seen).toEqual([
      'created /tree',
      'created /tree/a',
      'changed /tree/a',
      'removed /tree/a',
    ])
  })

  it('tells of its own client as of others', async ({ zk }) => {
    await zk.create('/tree')
    const { cache, history } = await cacheOf(zk)
    await zk.create('/tree/a')
    await zk.delete('/tree/a')
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(zk, '/tree'))
    expect(history.contradictions).toEqual([])
  })

  it('tells of data that is written once more as it was', async ({ zk, other }) => {
    await zk.create('/tree', 'same')
    const { history } = await cacheOf(zk)
    const stat = await other.set('/tree', 'same')
    expect(await history.told.atLeast(2)).toEqual(['created /tree', 'changed /tree'])
    expect(history.view['/tree']?.mzxid).toBe(stat.mzxid)
  })

  it('follows a root that comes, goes and comes again', async ({ zk, other }) => {
    const { cache, history } = await cacheOf(zk)
    await other.create('/tree', 'first')
    await other.create('/tree/a')
    await history.told.atLeast(2)
    await other.deleteRecursive('/tree')
    await history.told.atLeast(4)
    expect(cache.size).toBe(0)
    await other.create('/tree', 'second')
    await history.told.atLeast(5)
    expect(history.told.seen).toEqual([
      'created /tree',
      'created /tree/a',
      'removed /tree/a',
      'removed /tree',
      'created /tree',
    ])
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })

  it('tells of changes all over the tree in the order of their commits', async ({ zk, other }) => {
    await zk.create('/tree')
    const { cache, history } = await cacheOf(zk)
    const expected: string[] = ['created /tree']
    const writes: Promise<unknown>[] = []
    for (let i = 0; i < 200; i++) {
      writes.push(other.create(`/tree/n${i}`))
      expected.push(`created /tree/n${i}`)
    }
    await Promise.all(writes)
    await cache.sync()
    for (let i = 0; i < 200; i += 2) {
      writes.push(other.set(`/tree/n${i}`, 'new'), other.delete(`/tree/n${199 - i}`))
      expected.push(`changed /tree/n${i}`, `removed /tree/n${199 - i}`)
    }
    await Promise.all(writes)
    await cache.sync()
    expect(history.told.seen).toEqual(expected)
    expect(history.contradictions).toEqual([])
  })

  it('tells of all that one transaction does, in its order', async ({ zk, other }) => {
    await zk.create('/tree')
    await zk.create('/tree/old', 'x')
    const { cache, history } = await cacheOf(zk)
    const many = Array.from({ length: 100 }, (_, i) => part.create(`/tree/new/n${i}`))
    await other.multi([
      part.create('/tree/new'),
      ...many,
      part.set('/tree', 'changed'),
      part.delete('/tree/old'),
    ])
    await cache.sync()
    expect(history.told.seen.slice(2)).toEqual([
      'created /tree/new',
      ...many.map(({ path }) => `created ${path}`),
      'changed /tree',
      'removed /tree/old',
    ])
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })

  it('tells nothing of a transaction that failed', async ({ zk, other }) => {
    await zk.create('/tree')
    const { cache, history } = await cacheOf(zk)
    const failing = other.multi([part.create('/tree/a'), part.check('/tree', 7)])
    await expect(failing).rejects.toMatchObject({ code: 'ZK_BAD_VERSION' })
    await cache.sync()
    expect(history.told.seen).toEqual(['created /tree'])
  })

  it('tells a node from the one that had its name before', async ({ zk, other }) => {
    await zk.create('/tree/a/b', 'old', { parents: true })
    const { cache, history } = await cacheOf(zk)
    await other.multi([
      part.delete('/tree/a/b'),
      part.delete('/tree/a'),
      part.create('/tree/a', 'new'),
      part.create('/tree/a/c', 'new'),
    ])
    await cache.sync()
    expect(history.told.seen.slice(3)).toEqual([
      'removed /tree/a/b',
      'removed /tree/a',
      'created /tree/a',
      'created /tree/a/c',
    ])
    expect(cacheView(cache)).toEqual(await serverView(other, '/tree'))
  })

  it('ends at the last of many quick changes of a node', async ({ zk, other }) => {
    await zk.create('/tree', '0')
    const { cache, history } = await cacheOf(zk)
    const writes = Array.from({ length: 500 }, (_, i) => other.set('/tree', `${i + 1}`))
    await Promise.all(writes)
    await cache.sync()
    expect(toText(cache.get('/tree')?.data as Uint8Array)).toBe('500')
    expect(history.view).toEqual(cacheView(cache))
    expect(history.contradictions).toEqual([])
  })

  it('keeps the order of commits when nodes change faster than they are read', async ({
    zk,
    other,
  }) => {
    await zk.create('/tree')
    const { cache, history } = await cacheOf(zk)
    const nodes = ['/tree/a', '/tree/b', '/tree/c']
    const writes: Promise<unknown>[] = nodes.map((path) => other.create(path))
    for (let i = 0; i < 300; i++) writes.push(other.set(nodes[(i * i) % 3] as string, `${i}`))
    await Promise.all(writes)
    await cache.sync()
    expect(history.commits).toEqual(history.commits.toSorted((a, b) => Number(a - b)))
    expect(history.view).toEqual(await serverView(other, '/tree'))
    expect(history.contradictions).toEqual([])
  })

  it('tells of ephemeral nodes that go with their session', async ({ zk, clients }) => {
    await zk.create('/tree')
    const { cache, history } = await cacheOf(zk)
    const visitor = await clients.connect()
    await visitor.create('/tree/visitor', '', { mode: 'ephemeral' })
    await history.told.atLeast(2)
    await visitor.close()
    await history.told.atLeast(3)
    expect(history.told.seen).toEqual([
      'created /tree',
      'created /tree/visitor',
      'removed /tree/visitor',
    ])
    expect(cache.size).toBe(1)
  })
})
