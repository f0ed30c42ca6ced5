import { part, type WatchEvent } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('a persistent watch', () => {
  it('reports everything that happens at its node, again and again', async ({ zk, other }) => {
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', events.record)
    await other.create('/a')
    await other.set('/a', 'once')
    await other.set('/a', 'twice')
    await other.create('/a/child')
    await other.delete('/a/child')
    await other.delete('/a')
    await other.create('/a')
    await zk.catchUp()
    expect(events.seen.map(({ type }) => type)).toEqual([
      'created',
      'dataChanged',
      'dataChanged',
      'childrenChanged',
      'childrenChanged',
      'deleted',
      'created',
    ])
    expect(new Set(events.seen.map(({ path }) => path))).toEqual(new Set(['/a']))
  })

  it('reports nothing of what happens below, but that children came or went', async ({ zk }) => {
    await zk.create('/a')
    await zk.create('/a/child')
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', events.record)
    await zk.set('/a/child', 'new')
    await zk.create('/a/child/below')
    expect(events.seen).toEqual([])
  })
})

conformance('a recursive watch', () => {
  it('reports everything at its node and below, by the path where it happened', async ({
    zk,
    other,
  }) => {
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'recursive', events.record)
    await other.create('/a')
    await other.create('/a/b')
    await other.create('/a/b/c')
    await other.set('/a/b/c', 'new')
    await other.set('/a', 'new')
    await other.delete('/a/b/c')
    await other.delete('/a/b')
    await other.delete('/a')
    await zk.catchUp()
    expect(events.seen.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'created /a',
      'created /a/b',
      'created /a/b/c',
      'dataChanged /a/b/c',
      'dataChanged /a',
      'deleted /a/b/c',
      'deleted /a/b',
      'deleted /a',
    ])
  })

  it('never reports a change of children', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'recursive', events.record)
    for (let index = 0; index < 5; index++) await zk.create(`/a/${index}`)
    expect(events.seen.filter(({ type }) => type === 'childrenChanged')).toEqual([])
    expect(events.seen).toHaveLength(5)
  })

  it('reports nothing of a sibling whose name begins the same', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'recursive', events.record)
    await zk.create('/ab')
    await zk.create('/ab/c')
    expect(events.seen).toEqual([])
  })

  it('reports what a transaction did, in its order', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/', 'recursive', events.record)
    await zk.multi([part.create('/a'), part.create('/a/b'), part.set('/a', '')])
    expect(events.seen.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'created /a',
      'created /a/b',
      'dataChanged /a',
    ])
  })

  it('within another one reports to both', async ({ zk }) => {
    const outer = new Recorder<WatchEvent>()
    const inner = new Recorder<WatchEvent>()
    await zk.addWatch('/', 'recursive', outer.record)
    await zk.addWatch('/a', 'recursive', inner.record)
    await zk.create('/a')
    await zk.create('/a/b')
    await zk.create('/c')
    expect(outer.seen.map(({ path }) => path)).toEqual(['/a', '/a/b', '/c'])
    expect(inner.seen.map(({ path }) => path)).toEqual(['/a', '/a/b'])
  })

  it('loses nothing of many changes, and keeps their order', async ({ zk, other }) => {
    await zk.create('/p')
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/p', 'recursive', events.record)
    await Promise.all(Array.from({ length: 500 }, (_, index) => other.create(`/p/${index}`)))
    await zk.catchUp()
    expect(events.seen.map(({ path }) => path)).toEqual(
      Array.from({ length: 500 }, (_, index) => `/p/${index}`),
    )
  })

  it('may watch everything there is', async ({ clients, root, zk }) => {
    const all = await clients.connect({ chroot: '' })
    const events = new Recorder<WatchEvent>()
    await all.addWatch('/', 'recursive', ({ type, path }) => {
      if (path.startsWith(root)) events.record({ type, path })
    })
    await zk.create('/a')
    expect(await events.first()).toEqual({ type: 'created', path: `${root}/a` })
  })
})

conformance('watches that stay', () => {
  it('report to every listener of a path', async ({ zk }) => {
    const one = new Recorder<WatchEvent>()
    const two = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', one.record)
    await zk.addWatch('/a', 'persistent', two.record)
    await zk.create('/a')
    expect([one.seen.length, two.seen.length]).toEqual([1, 1])
  })

  it('of both kinds on one path report each in its own way', async ({ zk }) => {
    await zk.create('/a')
    const persistent = new Recorder<WatchEvent>()
    const recursive = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', persistent.record)
    await zk.addWatch('/a', 'recursive', recursive.record)
    await zk.create('/a/b')
    await zk.set('/a', 'new')
    expect(persistent.seen).toEqual([
      { type: 'childrenChanged', path: '/a' },
      { type: 'dataChanged', path: '/a' },
    ])
    expect(recursive.seen).toEqual([
      { type: 'created', path: '/a/b' },
      { type: 'dataChanged', path: '/a' },
    ])
  })

  it('of both kinds do so when the recursive one came first', async ({ zk }) => {
    await zk.create('/a')
    const persistent = new Recorder<WatchEvent>()
    const recursive = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'recursive', recursive.record)
    await zk.addWatch('/a', 'persistent', persistent.record)
    await zk.create('/a/b')
    expect(persistent.seen).toEqual([{ type: 'childrenChanged', path: '/a' }])
    expect(recursive.seen).toEqual([{ type: 'created', path: '/a/b' }])
  })

  it('are told by the number of watched paths', async ({ zk }) => {
    const watches = await Promise.all(
      ['/a', '/b'].map((path) => zk.addWatch(path, 'recursive', () => undefined)),
    )
    expect(zk.watchCount).toBe(2)
    await Promise.all(watches.map((watch) => watch.remove()))
    expect(zk.watchCount).toBe(0)
  })
})
