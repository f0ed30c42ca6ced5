import type { WatchEvent } from '@elasticjob/zookeeper'
import type { TcpProxy } from '../harness/tcp-proxy.ts'
import { opcode, recordRequests, specialXid } from './opcodes.ts'
import { cutOff, letBack } from './outage.ts'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

/** The number of notifications that a proxy has forwarded from now on. */
function countNotifications(proxy: TcpProxy): () => number {
  let count = 0
  proxy.onServerFrame = ({ index, payload }) => {
    if (index > 0 && payload.readInt32BE(0) === specialXid.notification) count++
    return 'pass'
  }
  return () => count
}

conformance('a watch that is removed', () => {
  it.for(['persistent', 'recursive'] as const)(
    'reports nothing any more (%s)',
    async (mode, { zk }) => {
      await zk.create('/a')
      const events = new Recorder<WatchEvent>()
      const watch = await zk.addWatch('/a', mode, events.record)
      await zk.set('/a', 'heard')
      await watch.remove()
      await zk.set('/a', 'unheard')
      expect(events.seen).toHaveLength(1)
      expect(zk.watchCount).toBe(0)
    },
  )

  it.for(['persistent', 'recursive'] as const)(
    'is gone at the server, too (%s)',
    async (mode, { proxied: zk, proxy }) => {
      await zk.create('/a')
      const watch = await zk.addWatch('/a', mode, () => undefined)
      const notifications = countNotifications(proxy)
      await zk.set('/a', 'heard')
      await watch.remove()
      const heard = notifications()
      await zk.set('/a', 'unheard')
      expect([heard, notifications()]).toEqual([1, 1])
    },
  )

  it('may be removed twice', async ({ zk }) => {
    const watch = await zk.addWatch('/a', 'persistent', () => undefined)
    await Promise.all([watch.remove(), watch.remove()])
    await expect(watch.remove()).resolves.toBeUndefined()
  })

  it('leaves the other listeners of its path', async ({ zk }) => {
    const kept = new Recorder<WatchEvent>()
    const removed = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', kept.record)
    const watch = await zk.addWatch('/a', 'persistent', removed.record)
    await watch.remove()
    await zk.create('/a')
    expect([kept.seen.length, removed.seen.length]).toEqual([1, 0])
  })

  it('leaves the persistent one of its path when it was the recursive one', async ({ zk }) => {
    await zk.create('/a')
    const persistent = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', persistent.record)
    const recursive = await zk.addWatch('/a', 'recursive', () => undefined)
    await recursive.remove()
    await zk.create('/a/b')
    await zk.set('/a/b', 'new')
    expect(persistent.seen).toEqual([{ type: 'childrenChanged', path: '/a' }])
  })

  it('leaves the recursive one of its path when it was the persistent one', async ({ zk }) => {
    await zk.create('/a')
    const recursive = new Recorder<WatchEvent>()
    const persistent = await zk.addWatch('/a', 'persistent', () => undefined)
    await zk.addWatch('/a', 'recursive', recursive.record)
    await persistent.remove()
    await zk.create('/a/b')
    expect(recursive.seen).toEqual([{ type: 'created', path: '/a/b' }])
  })

  it('without a connection does not come back with the next one', async ({
    proxied: zk,
    proxy,
  }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    const watch = await zk.addWatch('/a', 'persistent', events.record)
    await cutOff(zk, proxy)
    await watch.remove()
    const requests = recordRequests(proxy)
    await letBack(zk, proxy)
    await zk.set('/a', 'unheard')
    expect(events.seen).toEqual([])
    expect(requests).toEqual([opcode.setData])
  })
})

conformance('a watch whose addition was given up', () => {
  it('leaves the others of its path as they were', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    const persistent = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'persistent', persistent.record)
    const controller = new AbortController()
    proxy.blackHole('to-client')
    const added = zk.addWatch('/a', 'recursive', () => undefined, { signal: controller.signal })
    controller.abort()
    await expect(added).rejects.toMatchObject({ name: 'AbortError' })
    proxy.pass()
    await zk.create('/a/b')
    expect(persistent.seen).toEqual([{ type: 'childrenChanged', path: '/a' }])
  })

  it('reports nothing', async ({ proxied: zk, proxy }) => {
    const events = new Recorder<WatchEvent>()
    const controller = new AbortController()
    proxy.blackHole('to-client')
    const added = zk.addWatch('/a', 'recursive', events.record, { signal: controller.signal })
    controller.abort()
    await expect(added).rejects.toMatchObject({ name: 'AbortError' })
    proxy.pass()
    await zk.create('/a')
    expect(events.seen).toEqual([])
    expect(zk.watchCount).toBe(0)
  })
})

conformance('removeWatches', () => {
  it('of data leaves the watch on children', async ({ zk }) => {
    await zk.create('/a')
    const data = new Recorder<WatchEvent>()
    const children = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: data.record })
    await zk.children('/a', { watch: children.record })
    await zk.removeWatches('/a', 'data')
    await zk.set('/a', 'new')
    await zk.create('/a/b')
    expect([data.seen.length, children.seen.length]).toEqual([0, 1])
  })

  it('of children leaves the watch on data', async ({ zk }) => {
    await zk.create('/a')
    const data = new Recorder<WatchEvent>()
    const children = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: data.record })
    await zk.children('/a', { watch: children.record })
    await zk.removeWatches('/a', 'children')
    await zk.create('/a/b')
    await zk.set('/a', 'new')
    expect([data.seen.length, children.seen.length]).toEqual([1, 0])
  })

  it('of data takes the watch on an absent node, too', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a', { watch: events.record })
    await zk.removeWatches('/a', 'data')
    await zk.create('/a')
    expect(events.seen).toEqual([])
  })

  it('of any kind takes everything that watches the path', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.children('/a', { watch: events.record })
    await zk.addWatch('/a', 'persistent', events.record)
    await zk.addWatch('/a', 'recursive', events.record)
    await zk.removeWatches('/a')
    await zk.set('/a', 'new')
    await zk.create('/a/b')
    expect(events.seen).toEqual([])
    expect(zk.watchCount).toBe(0)
  })

  it('of one kind leaves a watch that stays', async ({ zk }) => {
    await zk.create('/a')
    const lasting = new Recorder<WatchEvent>()
    const once = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'recursive', lasting.record)
    await zk.get('/a', { watch: once.record })
    await zk.removeWatches('/a', 'data')
    await zk.set('/a', 'new')
    expect([lasting.seen.length, once.seen.length]).toEqual([1, 0])
  })

  it('leaves the watches of other paths', async ({ zk }) => {
    await zk.create('/a')
    await zk.create('/b')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.get('/b', { watch: events.record })
    await zk.removeWatches('/a')
    await zk.set('/a', 'new')
    await zk.set('/b', 'new')
    expect(events.seen).toEqual([{ type: 'dataChanged', path: '/b' }])
  })

  it('refuses a path that nobody watches', async ({ zk }) => {
    await zk.create('/a')
    await expect(zk.removeWatches('/a')).rejects.toMatchObject({ code: 'ZK_NO_WATCHER' })
  })

  it('refuses a kind that nobody watches', async ({ zk }) => {
    await zk.create('/a')
    await zk.get('/a', { watch: () => undefined })
    await expect(zk.removeWatches('/a', 'children')).rejects.toMatchObject({
      code: 'ZK_NO_WATCHER',
      path: '/a',
    })
  })

  it('lets a watch be set anew', async ({ zk }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.removeWatches('/a')
    await zk.get('/a', { watch: events.record })
    await zk.set('/a', 'new')
    expect(events.seen).toHaveLength(1)
  })
})
