import {
  creatorAcl,
  part,
  toText,
  TreeCache,
  type TreeCacheEvents,
  type ZooKeeper,
} from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'
import { TreeHistory } from './tree-history.ts'
import { cacheView, serverView } from './tree-view.ts'

conformance('a tree cache, when it is loaded', () => {
  it('holds data and stat of every node', async ({ zk }) => {
    await zk.create('/tree', 'root')
    await zk.create('/tree/leaf', 'green')
    await zk.set('/tree/leaf', 'brown')
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cache.get('/tree/leaf')).toEqual({ path: '/tree/leaf', ...(await zk.get('/tree/leaf')) })
    expect(cache.stat('/tree')).toEqual(await zk.exists('/tree'))
    expect(cache.has('/tree/leaf')).toBe(true)
    expect(cache.children('/tree')).toEqual(['leaf'])
    expect(cache.children('/tree/leaf')).toEqual([])
    expect([...cache.paths()]).toEqual(['/tree', '/tree/leaf'])
    expect(cache.size).toBe(2)
  })

  it('says of what is not there that it is not there', async ({ zk }) => {
    await zk.create('/tree')
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cache.get('/tree/absent')).toBeUndefined()
    expect(cache.stat('/tree/absent')).toBeUndefined()
    expect(cache.children('/tree/absent')).toBeUndefined()
    expect(cache.has('/tree/absent')).toBe(false)
  })

  it('refuses to speak of what is outside', async ({ zk }) => {
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    for (const path of ['/', '/tree2', '/treetop/a']) {
      expect(() => cache.get(path)).toThrow(expect.objectContaining({ code: 'ZK_INVALID_PATH' }))
    }
    expect(() => new TreeCache(zk, '/tree/')).toThrow(
      expect.objectContaining({ code: 'ZK_INVALID_PATH' }),
    )
  })

  it('is empty where there is nothing', async ({ zk }) => {
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cache.size).toBe(0)
    expect([...cache.paths()]).toEqual([])
  })

  it('holds a deep tree', async ({ zk }) => {
    const names = Array.from({ length: 150 }, (_, depth) => `level${depth}`)
    await zk.create(`/tree/${names.join('/')}`, 'bottom', { parents: true })
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cache.size).toBe(151)
    expect(cacheView(cache)).toEqual(await serverView(zk, '/tree'))
  })

  it('holds a wide tree', async ({ zk }) => {
    await zk.create('/tree')
    const wide = 3_000
    const nodes = Array.from({ length: wide }, (_, i) => part.create(`/tree/node${i}`, `${i}`))
    await zk.multi(nodes)
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cache.size).toBe(wide + 1)
    expect(cacheView(cache)).toEqual(await serverView(zk, '/tree'))
  })

  it('holds the whole of what its client sees', async ({ zk }) => {
    await zk.create('/a/b', '', { parents: true })
    const cache = new TreeCache(zk, '/')
    await cache.start()
    expect([...cache.paths()]).toEqual(['/', '/a', '/a/b'])
    await zk.create('/c')
    await cache.sync()
    expect(cache.children('/')).toEqual(['a', 'c'])
  })

  it('holds nodes of any kind', async ({ zk }) => {
    await zk.create('/tree', null)
    await zk.create('/tree/ephemeral', 'e', { mode: 'ephemeral' })
    await zk.create('/tree/container', 'c', { mode: 'container' })
    await zk.create('/tree/ttl', 't', { ttl: 60_000 })
    const sequential = await zk.create('/tree/s-', 's', { sequential: true })
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cacheView(cache)).toEqual(await serverView(zk, '/tree'))
    expect(cache.stat('/tree/ephemeral')?.ephemeralOwner).toBe(zk.sessionId)
    expect(toText(cache.get(sequential.path)?.data ?? new Uint8Array())).toBe('s')
  })

  it('loads nodes that are too large to be read together', async ({ clients }) => {
    const zk = await clients.connect({ maxFrameBytes: 150_000 })
    await createLargeNodes(zk, 80)
    const cache = new TreeCache(zk, '/tree')
    await cache.start()
    expect(cache.size).toBe(81)
    for (let i = 0; i < 80; i++) {
      const data = cache.get(`/tree/node${i}`)?.data
      expect([data?.length, data?.[0]]).toEqual([100_000, i])
    }
  })

  it('loads nodes whose names are too long to be asked for together', async ({ clients, zk }) => {
    await zk.create('/tree')
    const name = 'n'.repeat(300)
    for (let i = 0; i < 50; i++) await zk.create(`/tree/${name}${i}`, `${i}`)
    const careful = await clients.connect({ maxRequestBytes: 1_000 })
    const cache = new TreeCache(careful, '/tree')
    await cache.start()
    expect(cacheView(cache)).toEqual(await serverView(zk, '/tree'))
  })

  it('reports a node that it may not read, and leaves it out', async ({ zk, clients }) => {
    const owner = await clients.connect({ auth: [{ scheme: 'digest', auth: 'owner:secret' }] })
    await owner.create('/tree/secret', 'hidden', { parents: true })
    await owner.create('/tree/secret/below')
    await owner.create('/tree/public', 'shown')
    await owner.setAcl('/tree/secret', creatorAcl)
    await zk.catchUp()
    const cache = new TreeCache(zk, '/tree')
    const unreadable = new Recorder<TreeCacheEvents['cache:unreadable'][0]>()
    cache.on('cache:unreadable', unreadable.record)
    await cache.start()
    expect([...cache.paths()]).toEqual(['/tree', '/tree/public'])
    expect(unreadable.seen).toMatchObject([{ path: '/tree/secret', error: { code: 'ZK_NO_AUTH' } }])
  })

  it('takes a node in, with all below it, when it may read it at last', async ({ zk, clients }) => {
    const owner = await clients.connect({ auth: [{ scheme: 'digest', auth: 'owner:secret' }] })
    await owner.create('/tree/node/below', '', { parents: true })
    const { acl } = await owner.getAcl('/tree/node')
    await owner.setAcl('/tree/node', creatorAcl)
    await zk.catchUp()
    const cache = new TreeCache(zk, '/tree')
    const history = new TreeHistory(cache)
    await cache.start()
    expect([...cache.paths()]).toEqual(['/tree'])
    await owner.setAcl('/tree/node', acl)
    await owner.set('/tree/node', 'shown')
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(zk, '/tree'))
    expect(history.contradictions).toEqual([])
    expect(history.view).toEqual(cacheView(cache))
  })
})

async function createLargeNodes(zk: ZooKeeper, count: number): Promise<void> {
  await zk.create('/tree')
  for (let i = 0; i < count; i++) {
    await zk.create(`/tree/node${i}`, new Uint8Array(100_000).fill(i))
  }
}
