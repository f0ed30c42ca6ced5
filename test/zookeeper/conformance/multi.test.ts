import { MultiError, part, toText } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('multi', () => {
  it('carries out every kind of part and answers for each', async ({ zk }) => {
    await zk.create('/changed')
    await zk.create('/deleted')
    const [created, set, deleted, checked] = await zk.multi([
      part.create('/created', 'new'),
      part.set('/changed', 'data'),
      part.delete('/deleted'),
      part.check('/changed'),
    ])
    expect(created).toEqual({ path: '/created' })
    expect(set.stat).toEqual(await zk.exists('/changed'))
    expect(deleted).toEqual({ path: '/deleted' })
    expect(checked).toEqual({ path: '/changed' })
    expect(toText((await zk.get('/created')).data)).toBe('new')
    expect(await zk.exists('/deleted')).toBeUndefined()
  })

  it('is one transaction with one zxid', async ({ zk }) => {
    await zk.create('/a')
    await zk.multi([part.create('/b'), part.set('/a', ''), part.create('/c')])
    const stats = await Promise.all(['/a', '/b', '/c'].map((path) => zk.exists(path)))
    expect(stats.map((stat) => stat?.mzxid)).toEqual([zk.lastZxid, zk.lastZxid, zk.lastZxid])
  })

  it('lets each part see what those before it did', async ({ zk }) => {
    await zk.multi([
      part.create('/a'),
      part.create('/a/b'),
      part.set('/a/b', 'set', 0),
      part.check('/a/b', 1),
      part.delete('/a/b', 1),
    ])
    expect((await zk.children('/a')).children).toEqual([])
  })

  it('does nothing at all if one part fails', async ({ zk }) => {
    await zk.create('/a', 'before')
    const transaction = zk.multi([
      part.set('/a', 'after'),
      part.create('/b'),
      part.delete('/missing'),
      part.create('/c'),
    ])
    await expect(transaction).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(toText((await zk.get('/a')).data)).toBe('before')
    expect(await zk.exists('/b')).toBeUndefined()
    expect(await zk.exists('/c')).toBeUndefined()
  })

  it('names the part that failed', async ({ zk }) => {
    const error: unknown = await zk
      .multi([part.create('/a'), part.set('/missing', ''), part.create('/b')])
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MultiError)
    expect(error).toMatchObject({ index: 1, path: '/missing', errnos: [0, -101, -2] })
  })

  it.for([
    ['a node that exists', part.create('/a'), 'ZK_NODE_EXISTS'],
    ['a version that is not there', part.set('/a', '', 3), 'ZK_BAD_VERSION'],
    ['a check of another version', part.check('/a', 3), 'ZK_BAD_VERSION'],
    ['a check of a missing node', part.check('/missing'), 'ZK_NO_NODE'],
    ['a parent that is not empty', part.delete('/a'), 'ZK_NOT_EMPTY'],
    ['a missing parent', part.create('/missing/b'), 'ZK_NO_NODE'],
  ] as const)('refuses %s', async ([, one, code], { zk }) => {
    await zk.create('/a')
    await zk.create('/a/b')
    await expect(zk.multi([part.check('/a'), one])).rejects.toMatchObject({ code, index: 1 })
  })

  it.for([
    ['check', part.check('/a', 0)],
    ['set', part.set('/a', 'lost', 0)],
    ['delete', part.delete('/a', 0)],
  ] as const)(
    'takes version 0 in a %s for the first version, not for any',
    async ([, one], { zk }) => {
      await zk.create('/a')
      await zk.set('/a', 'changed')
      await expect(zk.multi([one])).rejects.toMatchObject({ code: 'ZK_BAD_VERSION' })
    },
  )

  it('creates sequential nodes and answers their names', async ({ zk }) => {
    await zk.create('/p')
    const created = await zk.multi([
      part.create('/p/a-', '', { sequential: true }),
      part.create('/p/b-', '', { sequential: true }),
    ])
    expect(created).toEqual([{ path: '/p/a-0000000000' }, { path: '/p/b-0000000001' }])
  })

  it('creates ephemeral nodes of this session', async ({ zk }) => {
    await zk.multi([part.create('/e', '', { mode: 'ephemeral' })])
    expect((await zk.exists('/e'))?.ephemeralOwner).toBe(zk.sessionId)
  })

  it('creates containers and nodes with a time to live', async ({ zk }) => {
    const created = await zk.multi([
      part.create('/c', 'container', { mode: 'container' }),
      part.create('/t', 'ttl', { ttl: 3_600_000 }),
      part.create('/t-', 'both', { ttl: 3_600_000, sequential: true }),
    ])
    const data = await Promise.all(created.map(({ path }) => zk.get(path)))
    expect(data.map((content) => toText(content.data))).toEqual(['container', 'ttl', 'both'])
  })

  it('takes many parts', async ({ zk }) => {
    await zk.create('/p')
    const parts = Array.from({ length: 1_000 }, (_, index) => part.create(`/p/${index}`))
    expect(await zk.multi(parts)).toHaveLength(1_000)
    expect((await zk.exists('/p'))?.numChildren).toBe(1_000)
  })

  it('of no parts does nothing', async ({ zk }) => {
    expect(await zk.multi([])).toEqual([])
  })

  it('keeps its place among the other requests of a client', async ({ zk }) => {
    await zk.create('/a')
    const before = zk.set('/a', 'before')
    const within = zk.multi([part.check('/a', 1), part.set('/a', 'within', 1)])
    const after = zk.set('/a', 'after', { version: 2 })
    expect((await before).version).toBe(1)
    expect((await within)[1].stat.version).toBe(2)
    expect((await after).version).toBe(3)
  })
})

conformance('check', () => {
  it('passes if the node is in the version', async ({ zk }) => {
    await zk.create('/a')
    await expect(zk.check('/a', { version: 0 })).resolves.toBeUndefined()
  })

  it('passes for any version if none is given', async ({ zk }) => {
    await zk.create('/a')
    await zk.set('/a', '')
    await expect(zk.check('/a')).resolves.toBeUndefined()
  })

  it('fails if the node is in another version', async ({ zk }) => {
    await zk.create('/a')
    await expect(zk.check('/a', { version: 1 })).rejects.toMatchObject({ code: 'ZK_BAD_VERSION' })
  })

  it('fails if the node does not exist', async ({ zk }) => {
    await expect(zk.check('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })
})
