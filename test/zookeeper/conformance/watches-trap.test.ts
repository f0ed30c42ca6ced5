import type { ReadOptions, WatchEvent, ZooKeeper } from '@elasticjob/zookeeper'
import { reconnect } from './outage.ts'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

/**
 * Servers before 3.9 keep one kind of watch for a session and a path: a one-shot watch at the root
 * of a recursive one would replace it, and end it when it fires.
 */
const reads: Readonly<
  Record<string, (zk: ZooKeeper, path: string, options: ReadOptions) => Promise<unknown>>
> = {
  get: (zk, path, options) => zk.get(path, options),
  exists: (zk, path, options) => zk.exists(path, options),
  children: (zk, path, options) => zk.children(path, options),
}

const kinds = Object.keys(reads).flatMap((name) => [
  [name, 'recursive'] as const,
  [name, 'persistent'] as const,
])

function read(name: string, zk: ZooKeeper, options: ReadOptions): Promise<unknown> {
  return (reads[name] as NonNullable<(typeof reads)[string]>)(zk, '/root', options)
}

/** Something that every kind of watch at the root reports, if only as a derived event. */
async function change(zk: ZooKeeper, index: number): Promise<void> {
  await zk.set('/root', `${index}`)
  await zk.create(`/root/${index}`)
}

conformance('a one-shot watch where a watch stays', () => {
  it.for(kinds)('by %s does not end the %s one', async ([name, mode], { zk }) => {
    await zk.create('/root')
    const lasting = new Recorder<WatchEvent>()
    await zk.addWatch('/root', mode, lasting.record)
    await read(name, zk, { watch: () => undefined })
    for (let index = 0; index < 3; index++) await change(zk, index)
    expect(lasting.seen).toHaveLength(6)
  })

  it.for(kinds)('by %s reports once beside the %s one', async ([name, mode], { zk }) => {
    await zk.create('/root')
    await zk.addWatch('/root', mode, () => undefined)
    const once = new Recorder<WatchEvent>()
    await read(name, zk, { watch: once.record })
    for (let index = 0; index < 3; index++) await change(zk, index)
    const type = name === 'children' ? 'childrenChanged' : 'dataChanged'
    expect(once.seen).toEqual([{ type, path: '/root' }])
  })

  it.for(kinds)('by %s, set before the %s one, reports once', async ([name, mode], { zk }) => {
    await zk.create('/root')
    const once = new Recorder<WatchEvent>()
    const lasting = new Recorder<WatchEvent>()
    await read(name, zk, { watch: once.record })
    await zk.addWatch('/root', mode, lasting.record)
    for (let index = 0; index < 3; index++) await change(zk, index)
    expect(once.seen).toHaveLength(1)
    expect(lasting.seen).toHaveLength(6)
  })

  it('that is set together with it does not end it', async ({ zk }) => {
    await zk.create('/root')
    const lasting = new Recorder<WatchEvent>()
    const added = zk.addWatch('/root', 'recursive', lasting.record)
    await Promise.all([added, zk.get('/root', { watch: () => undefined })])
    await change(zk, 0)
    await change(zk, 1)
    expect(lasting.seen).toHaveLength(4)
  })

  it('reports the creation and the deletion of the root', async ({ zk }) => {
    await zk.addWatch('/root', 'recursive', () => undefined)
    const once = new Recorder<WatchEvent>()
    await zk.exists('/root', { watch: once.record })
    await zk.create('/root')
    await zk.children('/root', { watch: once.record })
    await zk.delete('/root')
    expect(once.seen.map(({ type }) => type)).toEqual(['created', 'deleted'])
  })

  it('below the root reports beside the recursive one', async ({ zk }) => {
    await zk.create('/root/node', '', { parents: true })
    const lasting = new Recorder<WatchEvent>()
    const once = new Recorder<WatchEvent>()
    await zk.addWatch('/root', 'recursive', lasting.record)
    await zk.get('/root/node', { watch: once.record })
    await zk.children('/root/node', { watch: once.record })
    await zk.set('/root/node', 'one')
    await zk.set('/root/node', 'two')
    await zk.create('/root/node/child')
    expect(once.seen).toEqual([
      { type: 'dataChanged', path: '/root/node' },
      { type: 'childrenChanged', path: '/root/node' },
    ])
    expect(lasting.seen.map(({ type }) => type)).toEqual(['dataChanged', 'dataChanged', 'created'])
  })

  it('survives a reconnect together with it', async ({ proxied: zk, proxy }) => {
    await zk.create('/root')
    const lasting = new Recorder<WatchEvent>()
    const once = new Recorder<WatchEvent>()
    await zk.addWatch('/root', 'recursive', lasting.record)
    await zk.get('/root', { watch: once.record })
    await reconnect(zk, proxy)
    await change(zk, 0)
    await change(zk, 1)
    expect(once.seen).toHaveLength(1)
    expect(lasting.seen).toHaveLength(4)
  })

  it('outlives the removal of the one that stayed', async ({ zk }) => {
    await zk.create('/root')
    const once = new Recorder<WatchEvent>()
    const watch = await zk.addWatch('/root', 'recursive', () => undefined)
    await zk.get('/root', { watch: once.record })
    await watch.remove()
    await zk.set('/root', 'new')
    expect(once.seen).toEqual([{ type: 'dataChanged', path: '/root' }])
  })

  it('does not end it when the addition of a further one is given up', async ({ zk }) => {
    await zk.create('/root')
    const lasting = new Recorder<WatchEvent>()
    await zk.addWatch('/root', 'recursive', lasting.record)
    await zk.get('/root', { watch: () => undefined })
    const given = zk.addWatch('/root', 'persistent', () => undefined, {
      signal: AbortSignal.abort(),
    })
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    await change(zk, 0)
    await change(zk, 1)
    expect(lasting.seen).toHaveLength(4)
  })

  it('misses nothing in the moment when the one that stayed is removed', async ({
    proxied: zk,
    proxy,
    other,
  }) => {
    await zk.create('/root')
    const once = new Recorder<WatchEvent>()
    const watch = await zk.addWatch('/root', 'recursive', () => undefined)
    await zk.get('/root', { watch: once.record })
    // The change is behind the removal at the server, and its zxid arrives with the same packet.
    proxy.blackHole('to-client')
    const removed = watch.remove()
    const written = zk.set('/root', 'new')
    await untilChanged(other)
    proxy.pass()
    await Promise.all([removed, written])
    expect(await once.first()).toEqual({ type: 'dataChanged', path: '/root' })
  })
})

/** Resolves when the root is seen to have changed. */
function untilChanged(other: ZooKeeper): Promise<void> {
  return new Promise((resolve, reject) => {
    other
      .sync()
      .then(() => other.get('/root', { watch: () => resolve() }))
      .then(({ stat }) => stat.version > 0 && resolve())
      .catch(reject)
  })
}
