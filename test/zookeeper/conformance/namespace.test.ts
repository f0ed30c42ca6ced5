import { part, read, toText, type WatchEvent } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('a namespace', () => {
  it('is put before the paths that are sent', async ({ zk, inspector, root }) => {
    await zk.create('/a', 'data')
    await inspector.sync()
    expect(toText((await inspector.get(`${root}/a`)).data)).toBe('data')
  })

  it('is the root of what the client sees', async ({ zk }) => {
    await zk.create('/a')
    expect((await zk.children('/')).children).toEqual(['a'])
  })

  it('is taken off the paths that are answered', async ({ zk }) => {
    expect((await zk.create('/n-', '', { sequential: true })).path).toBe('/n-0000000000')
    expect(await zk.multi([part.create('/b')])).toEqual([{ path: '/b' }])
    await zk.create('/e', '', { mode: 'ephemeral' })
    expect(await zk.getEphemerals()).toEqual(['/e'])
  })

  it('is taken off the paths of events', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.addWatch('/', 'recursive', events.record)
    await zk.exists('/a', { watch: events.record })
    await zk.create('/a')
    expect(await events.atLeast(2)).toEqual([
      { type: 'created', path: '/a' },
      { type: 'created', path: '/a' },
    ])
  })

  it('is taken off the path of an event at the root', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.children('/', { watch: events.record })
    await zk.create('/a')
    expect(await events.first()).toEqual({ type: 'childrenChanged', path: '/' })
  })

  it('does not show in errors', async ({ zk }) => {
    await expect(zk.get('/missing')).rejects.toMatchObject({ path: '/missing' })
    await expect(zk.multi([part.delete('/missing')])).rejects.toMatchObject({ path: '/missing' })
  })

  it('holds for every kind of read', async ({ zk }) => {
    await zk.create('/a', 'data')
    const [content] = await zk.multiRead([read.get('/a')])
    expect(content).toMatchObject({ stat: (await zk.get('/a')).stat })
    expect((await zk.getAcl('/a')).acl).toHaveLength(1)
    expect(await zk.getAllChildrenNumber('/')).toBe(1)
  })

  it('holds for every kind of write', async ({ zk, inspector, root }) => {
    await zk.create('/a')
    await zk.set('/a', 'set')
    await zk.setAcl('/a', (await zk.getAcl('/a')).acl)
    await zk.check('/a', { version: 1 })
    await inspector.sync()
    expect(await inspector.exists(`${root}/a`)).toMatchObject({ version: 1, aversion: 1 })
    await zk.delete('/a')
    await inspector.sync()
    expect(await inspector.exists(`${root}/a`)).toBeUndefined()
  })

  it('keeps clients with different ones apart', async ({ clients, root, zk }) => {
    await zk.create('/one')
    await zk.create('/two')
    const one = await clients.connect({ chroot: `${root}/one` })
    const two = await clients.connect({ chroot: `${root}/two` })
    await one.create('/a', 'one')
    await two.create('/a', 'two')
    expect(toText((await one.get('/a')).data)).toBe('one')
    expect(toText((await two.get('/a')).data)).toBe('two')
  })

  it('that does not exist is no error until something is asked of it', async ({
    clients,
    root,
  }) => {
    const zk = await clients.connect({ chroot: `${root}/not/yet` })
    await expect(zk.create('/a')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(await zk.exists('/')).toBeUndefined()
  })

  it('that does not exist is made with the parents of a node', async ({ clients, root }) => {
    const zk = await clients.connect({ chroot: `${root}/not/yet` })
    expect((await zk.create('/a/b', 'data', { parents: true })).path).toBe('/a/b')
    expect(toText((await zk.get('/a/b')).data)).toBe('data')
  })

  it('can be emptied and removed by its client', async ({ zk, inspector, root }) => {
    await zk.create('/a/b', '', { parents: true })
    expect(await zk.deleteRecursive('/')).toBe(3)
    await inspector.sync()
    expect(await inspector.exists(root)).toBeUndefined()
  })

  it('of nothing shows everything', async ({ clients, root }) => {
    const zk = await clients.connect({ chroot: '' })
    expect((await zk.children('/')).children).toEqual(
      expect.arrayContaining(['zookeeper', root.slice(1)]),
    )
  })

  it('of a slash is the same as none', async ({ clients, root }) => {
    const zk = await clients.connect({ chroot: '/' })
    expect(await zk.exists(root)).toBeDefined()
  })
})
