import { part, type WatchEvent } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('a watch on data', () => {
  it('reports new data', async ({ zk, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await other.set('/a', 'new')
    expect(await events.first()).toEqual({ type: 'dataChanged', path: '/a' })
  })

  it('reports that the node was deleted', async ({ zk, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await other.delete('/a')
    expect(await events.first()).toEqual({ type: 'deleted', path: '/a' })
  })

  it('reports neither children nor ACLs', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    const { acl } = await zk.getAcl('/a')
    await zk.get('/a', { watch: events.record })
    await zk.create('/a/child')
    await zk.set('/a/child', 'new')
    await zk.delete('/a/child')
    await zk.setAcl('/a', acl)
    expect(events.seen).toEqual([])
  })

  it('does not come to be by a read that fails', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await expect(zk.get('/a', { watch: events.record })).rejects.toMatchObject({
      code: 'ZK_NO_NODE',
    })
    expect(zk.watchCount).toBe(0)
    await zk.create('/a')
    await zk.set('/a', 'new')
    expect(events.seen).toEqual([])
  })
})

conformance('a watch on existence', () => {
  it('reports that an absent node was created', async ({ zk, other }) => {
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a', { watch: events.record })
    await other.create('/a')
    expect(await events.first()).toEqual({ type: 'created', path: '/a' })
  })

  it('reports new data of a node that exists', async ({ zk, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a', { watch: events.record })
    await other.set('/a', 'new')
    expect(await events.first()).toEqual({ type: 'dataChanged', path: '/a' })
  })

  it('reports that a node that exists was deleted', async ({ zk, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a', { watch: events.record })
    await other.delete('/a')
    expect(await events.first()).toEqual({ type: 'deleted', path: '/a' })
  })

  it('may wait for a node whose parent is absent, too', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a/b', { watch: events.record })
    await zk.create('/a/b', '', { parents: true })
    expect(await events.first()).toEqual({ type: 'created', path: '/a/b' })
  })
})

conformance('a watch on children', () => {
  it('reports a child that was created', async ({ zk, other }) => {
    await zk.create('/p')
    const events = new Recorder<WatchEvent>()
    await zk.children('/p', { watch: events.record })
    await other.create('/p/child')
    expect(await events.first()).toEqual({ type: 'childrenChanged', path: '/p' })
  })

  it('reports a child that was deleted', async ({ zk, other }) => {
    await zk.create('/p')
    await zk.create('/p/child')
    const events = new Recorder<WatchEvent>()
    await zk.children('/p', { watch: events.record })
    await other.delete('/p/child')
    expect(await events.first()).toEqual({ type: 'childrenChanged', path: '/p' })
  })

  it('reports that the node itself was deleted', async ({ zk, other }) => {
    await zk.create('/p')
    const events = new Recorder<WatchEvent>()
    await zk.children('/p', { watch: events.record })
    await other.delete('/p')
    expect(await events.first()).toEqual({ type: 'deleted', path: '/p' })
  })

  it('reports neither data nor what is further below', async ({ zk }) => {
    await zk.create('/p')
    await zk.create('/p/child')
    const events = new Recorder<WatchEvent>()
    await zk.children('/p', { watch: events.record })
    await zk.set('/p', 'new')
    await zk.set('/p/child', 'new')
    await zk.create('/p/child/below')
    expect(events.seen).toEqual([])
  })
})

conformance('a one-shot watch', () => {
  it('reports once', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    expect(zk.watchCount).toBe(1)
    await zk.set('/a', 'once')
    await zk.set('/a', 'twice')
    expect(events.seen).toHaveLength(1)
    expect(zk.watchCount).toBe(0)
  })

  it('can be set again', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    for (let round = 0; round < 3; round++) {
      await zk.get('/a', { watch: events.record })
      await zk.set('/a', `${round}`)
    }
    expect(events.seen).toHaveLength(3)
  })

  it('reports to everybody who set it', async ({ zk }) => {
    await zk.create('/a')
    const one = new Recorder<WatchEvent>()
    const two = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: one.record })
    await zk.exists('/a', { watch: two.record })
    await zk.set('/a', 'new')
    expect([one.seen.length, two.seen.length]).toEqual([1, 1])
  })

  it('reports once to whoever set it twice', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.get('/a', { watch: events.record })
    await zk.set('/a', 'new')
    expect(events.seen).toHaveLength(1)
  })

  it('on data and one on children both report a deletion, each once', async ({ zk }) => {
    await zk.create('/a')
    const data = new Recorder<WatchEvent>()
    const children = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: data.record })
    await zk.children('/a', { watch: children.record })
    await zk.delete('/a')
    expect(data.seen).toEqual([{ type: 'deleted', path: '/a' }])
    expect(children.seen).toEqual([{ type: 'deleted', path: '/a' }])
  })

  it('reports before the write that caused it is answered', async ({ zk }) => {
    await zk.create('/a')
    const order: string[] = []
    await zk.get('/a', { watch: () => order.push('event') })
    await zk.set('/a', 'new').then(() => order.push('answer'))
    expect(order).toEqual(['event', 'answer'])
  })

  it('reports before its client reads what has changed', async ({ zk, other }) => {
    await zk.create('/a')
    for (let round = 0; round < 10; round++) {
      const events = new Recorder<WatchEvent>()
      const { stat } = await zk.get('/a', { watch: events.record })
      const changed = other.set('/a', `${round}`)
      let version = stat.version
      while (version === stat.version) version = (await zk.get('/a')).stat.version
      expect(events.seen).toHaveLength(1)
      await changed
    }
  })

  it('reports what a transaction did', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.exists('/b', { watch: events.record })
    await zk.multi([part.set('/a', 'new'), part.create('/b')])
    expect(events.seen).toEqual([
      { type: 'dataChanged', path: '/a' },
      { type: 'created', path: '/b' },
    ])
  })

  it('reports nothing of a transaction that failed', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    const failing = zk.multi([part.set('/a', 'new'), part.delete('/missing')])
    await expect(failing).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(events.seen).toEqual([])
  })

  it('is not set by a read without one', async ({ zk }) => {
    await zk.create('/a')
    await Promise.all([zk.get('/a'), zk.exists('/a'), zk.children('/a')])
    expect(zk.watchCount).toBe(0)
  })
})
