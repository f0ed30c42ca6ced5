import { toText } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('get', () => {
  it('answers the data and the stat', async ({ zk }) => {
    const { stat } = await zk.create('/a', 'data')
    const content = await zk.get('/a')
    expect(toText(content.data)).toBe('data')
    expect(content.stat).toEqual(stat)
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.get('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('answers data that later answers do not overwrite', async ({ zk }) => {
    await zk.create('/a', 'first')
    const { data } = await zk.get('/a')
    await zk.set('/a', 'other')
    await zk.get('/a')
    expect(toText(data)).toBe('first')
  })

  it('answers a thousand requests in flight, each with its own data', async ({ zk }) => {
    const indexes = Array.from({ length: 10 }, (_, index) => index)
    await Promise.all(indexes.map((index) => zk.create(`/n${index}`, `${index}`)))
    const contents = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => zk.get(`/n${index % 10}`)),
    )
    expect(contents.map(({ data }) => toText(data))).toEqual(
      contents.map((_, index) => `${index % 10}`),
    )
  })
})

conformance('set', () => {
  it('replaces the data and answers the new stat', async ({ zk }) => {
    const { stat: before } = await zk.create('/a', 'before')
    const stat = await zk.set('/a', 'after it')
    expect(toText((await zk.get('/a')).data)).toBe('after it')
    expect(stat).toEqual(await zk.exists('/a'))
    expect(stat).toMatchObject({ czxid: before.czxid, version: 1, dataLength: 8 })
    expect(stat.mzxid).toBeGreaterThan(before.mzxid)
  })

  it('is a change even if the data stays the same', async ({ zk }) => {
    await zk.create('/a', 'same')
    expect((await zk.set('/a', 'same')).version).toBe(1)
  })

  it('can make the data empty', async ({ zk }) => {
    await zk.create('/a', 'data')
    await zk.set('/a', '')
    expect((await zk.get('/a')).data).toHaveLength(0)
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.set('/missing', '')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('changes a node in the version that was asked for', async ({ zk }) => {
    await zk.create('/a')
    const { version } = await zk.set('/a', 'once')
    expect((await zk.set('/a', 'twice', { version })).version).toBe(version + 1)
  })

  it('refuses a node in another version and leaves its data', async ({ zk }) => {
    await zk.create('/a', 'data')
    await expect(zk.set('/a', 'lost', { version: 7 })).rejects.toMatchObject({
      code: 'ZK_BAD_VERSION',
    })
    expect(toText((await zk.get('/a')).data)).toBe('data')
  })

  it('takes version 0 for the first version, not for any', async ({ zk }) => {
    await zk.create('/a')
    await zk.set('/a', 'once')
    await expect(zk.set('/a', 'twice', { version: 0 })).rejects.toMatchObject({
      code: 'ZK_BAD_VERSION',
    })
  })

  it('lets one of several compare-and-set calls win', async ({ zk, other }) => {
    const { stat } = await zk.create('/a')
    const outcomes = await Promise.allSettled(
      [zk, other, zk, other].map((client, index) =>
        client.set('/a', `${index}`, { version: stat.version }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await zk.exists('/a'))?.version).toBe(1)
  })

  it('carries out the calls of one client in their order', async ({ zk }) => {
    await zk.create('/a')
    const stats = await Promise.all(
      Array.from({ length: 20 }, (_, index) => zk.set('/a', `${index}`)),
    )
    expect(stats.map(({ version }) => version)).toEqual(stats.map((_, index) => index + 1))
    expect(toText((await zk.get('/a')).data)).toBe('19')
  })
})
