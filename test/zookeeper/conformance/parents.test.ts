import { creatorAcl, readOnlyAcl, toText, type WatchEvent } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('create with parents', () => {
  it('makes the nodes above that are missing', async ({ zk }) => {
    const { path, stat } = await zk.create('/a/b/c', 'data', { parents: true })
    expect(path).toBe('/a/b/c')
    expect(stat).toEqual(await zk.exists('/a/b/c'))
    expect(toText((await zk.get('/a/b/c')).data)).toBe('data')
    expect((await zk.get('/a/b')).data).toHaveLength(0)
  })

  it('makes them all in one transaction', async ({ zk }) => {
    await zk.create('/a/b/c', '', { parents: true })
    const stats = await Promise.all(['/a', '/a/b', '/a/b/c'].map((path) => zk.exists(path)))
    expect(new Set(stats.map((stat) => stat?.czxid)).size).toBe(1)
  })

  it('leaves those alone that exist', async ({ zk }) => {
    await zk.create('/a', 'kept')
    await zk.create('/a/b/c', '', { parents: true })
    const { data, stat } = await zk.get('/a')
    expect(toText(data)).toBe('kept')
    expect(stat.version).toBe(0)
  })

  it('needs none that is missing', async ({ zk }) => {
    expect((await zk.create('/a', 'data', { parents: true })).path).toBe('/a')
  })

  it('refuses a node that exists', async ({ zk }) => {
    await zk.create('/a/b', 'first', { parents: true })
    await expect(zk.create('/a/b', 'second', { parents: true })).rejects.toMatchObject({
      code: 'ZK_NODE_EXISTS',
    })
  })

  it('fails like any create, with the path that the caller knows', async ({ zk }) => {
    await zk.create('/a', '', { acl: readOnlyAcl })
    await expect(zk.create('/a/b/c', '', { parents: true })).rejects.toMatchObject({
      name: 'ZooKeeperError',
      code: 'ZK_NO_AUTH',
      operation: 'create',
      path: '/a/b',
    })
  })

  it('makes nothing if the node itself is refused', async ({ zk }) => {
    const created = zk.create('/a/b', '', { parents: true, acl: creatorAcl })
    await expect(created).rejects.toMatchObject({ code: 'ZK_INVALID_ACL' })
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('refuses a parent that is ephemeral', async ({ zk }) => {
    await zk.create('/a', '', { mode: 'ephemeral' })
    await expect(zk.create('/a/b/c', '', { parents: true })).rejects.toMatchObject({
      code: 'ZK_NO_CHILDREN_FOR_EPHEMERALS',
    })
  })

  it('may make an ephemeral node below persistent ones', async ({ zk }) => {
    const { stat } = await zk.create('/a/b', '', { parents: true, mode: 'ephemeral' })
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
    expect((await zk.exists('/a'))?.ephemeralOwner).toBe(0n)
  })

  it('may make a sequential node', async ({ zk }) => {
    const { path, stat } = await zk.create('/a/n-', '', { parents: true, sequential: true })
    expect(path).toBe('/a/n-0000000000')
    expect(stat).toEqual(await zk.exists(path))
  })

  it('may make containers above, which go with their last child', async ({ zk }) => {
    await zk.create('/a/b', '', { parents: 'container' })
    const events = new Recorder<WatchEvent>()
    await zk.exists('/a', { watch: events.record })
    await zk.delete('/a/b')
    expect((await events.first()).type).toBe('deleted')
  })

  it('gives the ACL of the node to those above', async ({ zk }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/a/b', '', { parents: true, acl: creatorAcl })
    expect((await zk.getAcl('/a')).acl).toEqual((await zk.getAcl('/a/b')).acl)
  })

  it('succeeds for all that make nodes below the same missing parents at once', async ({
    zk,
    other,
  }) => {
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? zk : other).create(`/a/b/${index}`, '', { parents: true }),
      ),
    )
    expect(created).toHaveLength(20)
    await zk.catchUp()
    expect((await zk.children('/a/b')).children).toHaveLength(20)
  })
})
