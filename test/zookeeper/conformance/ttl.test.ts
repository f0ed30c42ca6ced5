import { type WatchEvent, toText } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

const longTtl = 3_600_000

conformance('a node with a time to live', () => {
  it('is created with its data, and looks like a persistent node', async ({ zk }) => {
    const { path, stat } = await zk.create('/t', 'data', { ttl: longTtl })
    expect(path).toBe('/t')
    expect(stat).toEqual(await zk.exists('/t'))
    expect(stat).toMatchObject({ ephemeralOwner: 0n, dataLength: 4 })
    expect(toText((await zk.get('/t')).data)).toBe('data')
  })

  it('may be sequential', async ({ zk }) => {
    const { path } = await zk.create('/t-', '', { ttl: longTtl, sequential: true })
    expect(path).toMatch(/^\/t-\d{10}$/)
  })

  it('goes when its time is over', async ({ zk }) => {
    const events = new Recorder<WatchEvent>()
    await zk.create('/t', '', { ttl: 1 })
    await zk.create('/long', '', { ttl: longTtl })
    const found = await zk.exists('/t', { watch: events.record })
    if (found !== undefined) expect(await events.first()).toMatchObject({ type: 'deleted' })
    expect(await zk.exists('/t')).toBeUndefined()
    expect(await zk.exists('/long')).toBeDefined()
  })

  it('stays as long as it has children', async ({ zk }) => {
    await zk.create('/parent', '', { ttl: 1 })
    await zk.create('/parent/child')
    await zk.create('/childless', '', { ttl: 1 })
    const events = new Recorder<WatchEvent>()
    const found = await zk.exists('/childless', { watch: events.record })
    if (found !== undefined) await events.first()
    expect(await zk.exists('/parent')).toBeDefined()
  })

  it.for([0, -1, 1.5, 2 ** 40, Number.NaN])('refuses a time of %d', async (ttl, { zk }) => {
    await expect(zk.create('/t', '', { ttl })).rejects.toMatchObject({
      code: 'ZK_INVALID_ARGUMENT',
    })
  })

  it.for(['ephemeral', 'container'] as const)('cannot be %s', async (mode, { zk }) => {
    await expect(zk.create('/t', '', { ttl: longTtl, mode })).rejects.toMatchObject({
      code: 'ZK_INVALID_ARGUMENT',
    })
  })
})
