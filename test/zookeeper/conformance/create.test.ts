import { toText } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('create', () => {
  it('answers the path and the stat of the new node', async ({ zk }) => {
    const { path, stat } = await zk.create('/a', 'four')
    expect(path).toBe('/a')
    expect(stat).toEqual(await zk.exists('/a'))
    expect(stat).toMatchObject({
      version: 0,
      cversion: 0,
      aversion: 0,
      ephemeralOwner: 0n,
      dataLength: 4,
      numChildren: 0,
    })
  })

  it('is one transaction, whose zxid and time the node carries', async ({ zk }) => {
    const { stat } = await zk.create('/a')
    expect(stat.czxid).toBeGreaterThan(0n)
    expect(stat).toMatchObject({ mzxid: stat.czxid, pzxid: stat.czxid, mtime: stat.ctime })
    expect(zk.lastZxid).toBe(stat.czxid)
  })

  it('stores text as UTF-8', async ({ zk }) => {
    await zk.create('/a', 'grün')
    expect(toText((await zk.get('/a')).data)).toBe('grün')
  })

  it('stores bytes as they are', async ({ zk }) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    await zk.create('/a', bytes)
    expect(new Uint8Array((await zk.get('/a')).data)).toEqual(bytes)
  })

  it.for([undefined, null, '', new Uint8Array(0)])(
    'stores no bytes for %o',
    async (data, { zk }) => {
      const { stat } = await zk.create('/a', data)
      expect(stat.dataLength).toBe(0)
      expect((await zk.get('/a')).data).toHaveLength(0)
    },
  )

  it('refuses a node that exists', async ({ zk }) => {
    await zk.create('/a', 'first')
    await expect(zk.create('/a', 'second')).rejects.toMatchObject({ code: 'ZK_NODE_EXISTS' })
    expect(toText((await zk.get('/a')).data)).toBe('first')
  })

  it('refuses a node whose parent is missing', async ({ zk }) => {
    await expect(zk.create('/missing/a')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('refuses a child of an ephemeral node', async ({ zk }) => {
    await zk.create('/a', '', { mode: 'ephemeral' })
    await expect(zk.create('/a/b')).rejects.toMatchObject({
      code: 'ZK_NO_CHILDREN_FOR_EPHEMERALS',
    })
  })

  it('changes the list of children of the parent, not its data', async ({ zk }) => {
    const { stat: before } = await zk.create('/parent', 'data')
    const { stat: child } = await zk.create('/parent/child')
    expect(await zk.exists('/parent')).toEqual({
      ...before,
      cversion: 1,
      numChildren: 1,
      pzxid: child.czxid,
    })
  })

  it('makes nodes of one client in the order of its calls', async ({ zk }) => {
    const created = await Promise.all(
      Array.from({ length: 50 }, (_, index) => zk.create(`/n${index}`)),
    )
    const zxids = created.map(({ stat }) => stat.czxid)
    expect(zxids).toEqual(zxids.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(zxids).size).toBe(50)
  })
})
