import type { WatchEvent } from '@elasticjob/zookeeper'
import { opcode, recordRequests } from './opcodes.ts'
import { cutOff, letBack, reconnect, renew } from './outage.ts'
import { Recorder } from './recorder.ts'
import { firstPort } from './session-probe.ts'
import { conformance, expect, it } from './support.ts'

conformance('a one-shot watch after a reconnect', () => {
  it('is still there', async ({ proxied: zk, proxy, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await reconnect(zk, proxy)
    await other.set('/a', 'new')
    expect(await events.first()).toEqual({ type: 'dataChanged', path: '/a' })
  })

  it('has nothing to report if nothing has changed', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.children('/a', { watch: events.record })
    await zk.exists('/missing', { watch: events.record })
    await reconnect(zk, proxy)
    await zk.catchUp()
    expect(events.seen).toEqual([])
    expect(zk.watchCount).toBe(3)
  })

  it('reports data that changed meanwhile, once', async ({ proxied: zk, proxy, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await cutOff(zk, proxy)
    await other.set('/a', 'once')
    await other.set('/a', 'twice')
    await letBack(zk, proxy)
    expect(await events.first()).toEqual({ type: 'dataChanged', path: '/a' })
    await zk.set('/a', 'later')
    expect(events.seen).toHaveLength(1)
  })

  it('reports a node that was deleted meanwhile', async ({ proxied: zk, proxy, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await cutOff(zk, proxy)
    await other.delete('/a')
    await letBack(zk, proxy)
    expect(await events.first()).toEqual({ type: 'deleted', path: '/a' })
  })

  it('reports a node that was created meanwhile', async ({ proxied: zk, proxy, other }) => {
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a', { watch: events.record })
    await cutOff(zk, proxy)
    await other.create('/a')
    await letBack(zk, proxy)
    expect(await events.first()).toEqual({ type: 'created', path: '/a' })
  })

  it('reports children that came meanwhile', async ({ proxied: zk, proxy, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.children('/a', { watch: events.record })
    await cutOff(zk, proxy)
    await other.create('/a/b')
    await letBack(zk, proxy)
    expect(await events.first()).toEqual({ type: 'childrenChanged', path: '/a' })
  })

  it('does not repeat what it has reported before', async ({ proxied: zk, proxy }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.set('/a', 'new')
    await reconnect(zk, proxy)
    await zk.set('/a', 'newer')
    expect(events.seen).toHaveLength(1)
  })

  it('may be one of more than fit into a single request', async ({ proxied: zk, proxy, other }) => {
    const events = new Recorder<WatchEvent>()
    const path = (index: number): string => `/${'x'.repeat(100)}${index}`
    await Promise.all(
      Array.from({ length: 10_000 }, (_, index) =>
        zk.exists(path(index), { watch: events.record }),
      ),
    )
    await reconnect(zk, proxy)
    for (const index of [0, 4_999, 9_999]) await other.create(path(index))
    expect(await events.atLeast(3)).toEqual(
      [0, 4_999, 9_999].map((index) => ({ type: 'created', path: path(index) })),
    )
    expect(zk.watchCount).toBe(9_997)
  })
})

conformance('a watch that stays, after a reconnect', () => {
  it.for(['persistent', 'recursive'] as const)(
    'is still there (%s)',
    async (mode, { proxied: zk, proxy }) => {
      await zk.create('/a')
      const events = new Recorder<WatchEvent>()
      await zk.addWatch('/a', mode, events.record)
      await reconnect(zk, proxy)
      await zk.set('/a', 'once')
      await zk.set('/a', 'twice')
      expect(events.seen).toHaveLength(2)
    },
  )

  it('reports nothing of what happened meanwhile', async ({
    proxied: zk,
    proxy,
    clients,
    target,
  }) => {
    // At the same server, which then knows of the change before the other one is back.
    const connectString = `127.0.0.1:${firstPort(target.connectString)}`
    const neighbour = await clients.connect({ via: { connectString } })
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/a', 'recursive', events.record)
    await cutOff(zk, proxy)
    await neighbour.set('/a', 'missed')
    await letBack(zk, proxy)
    await zk.catchUp()
    await zk.create('/a/b')
    expect(events.seen).toEqual([{ type: 'created', path: '/a/b' }])
  })

  it('added without a connection is there with the next one', async ({ proxied: zk, proxy }) => {
    await cutOff(zk, proxy)
    const events = new Recorder<WatchEvent>()
    const added = zk.addWatch('/a', 'recursive', events.record)
    await letBack(zk, proxy)
    await added
    await zk.create('/a')
    expect(events.seen).toEqual([{ type: 'created', path: '/a' }])
  })
})

conformance('a watch in a renewed session', () => {
  it('is still there when it is one-shot', async ({ zk, target, other }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await zk.exists('/b', { watch: events.record })
    await renew(zk, target)
    await other.create('/b')
    await other.set('/a', 'new')
    expect((await events.atLeast(2)).map(({ type }) => type)).toEqual(['created', 'dataChanged'])
  })

  it.for(['persistent', 'recursive'] as const)(
    'is still there when it is %s',
    async (mode, { zk, target }) => {
      await zk.create('/a')
      const events = new Recorder<WatchEvent>()
      await zk.addWatch('/a', mode, events.record)
      await renew(zk, target)
      await zk.set('/a', 'once')
      await zk.set('/a', 'twice')
      expect(events.seen).toHaveLength(2)
    },
  )

  it('reports what happened between the sessions', async ({
    proxied: zk,
    proxy,
    target,
    other,
  }) => {
    await zk.create('/a')
    const events = new Recorder<WatchEvent>()
    await zk.get('/a', { watch: events.record })
    await cutOff(zk, proxy)
    await target.expireSession(zk.sessionId, zk.sessionPassword)
    await other.set('/a', 'new')
    await proxy.accept()
    expect(await events.first()).toEqual({ type: 'dataChanged', path: '/a' })
  })

  it('reports that an ephemeral node went with the old one', async ({ zk, target }) => {
    await zk.create('/e', '', { mode: 'ephemeral' })
    const events = new Recorder<WatchEvent>()
    await zk.exists('/e', { watch: events.record })
    await renew(zk, target)
    expect(await events.first()).toEqual({ type: 'deleted', path: '/e' })
  })
})

conformance('after a reconnect', () => {
  it('identities come first, then watches, then requests', async ({ proxied: zk, proxy }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/a')
    await zk.get('/a', { watch: () => undefined })
    await zk.addWatch('/b', 'recursive', () => undefined)
    await cutOff(zk, proxy)
    const requests = recordRequests(proxy)
    const read = zk.get('/a')
    await letBack(zk, proxy)
    await read
    expect(requests).toEqual([opcode.auth, opcode.setWatches2, opcode.getData])
  })
})
