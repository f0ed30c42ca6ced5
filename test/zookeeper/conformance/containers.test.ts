import type { WatchEvent } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('a container', () => {
  it('is created with its data, and looks like a persistent node', async ({ zk }) => {
    const { path, stat } = await zk.create('/c', 'data', { mode: 'container' })
    expect(path).toBe('/c')
    expect(stat).toEqual(await zk.exists('/c'))
    expect(stat).toMatchObject({ dataLength: 4, ephemeralOwner: 0n })
  })

  it('takes children', async ({ zk }) => {
    await zk.create('/c', '', { mode: 'container' })
    await zk.create('/c/child', '', { mode: 'ephemeral' })
    expect((await zk.children('/c')).children).toEqual(['child'])
  })

  it('goes after its last child has gone', async ({ zk }) => {
    await zk.create('/c', '', { mode: 'container' })
    await zk.create('/c/child')
    const events = new Recorder<WatchEvent>()
    await zk.exists('/c', { watch: events.record })
    await zk.delete('/c/child')
    expect(await events.first()).toEqual({ type: 'deleted', path: '/c' })
  })

  it('stays as long as it has never had a child', async ({ zk }) => {
    await zk.create('/never', '', { mode: 'container' })
    await zk.create('/once', '', { mode: 'container' })
    await zk.create('/once/child')
    const events = new Recorder<WatchEvent>()
    await zk.exists('/once', { watch: events.record })
    await zk.delete('/once/child')
    await events.first()
    expect(await zk.exists('/never')).toBeDefined()
  })

  it('cannot be sequential', async ({ zk }) => {
    const created = zk.create('/c-', '', { mode: 'container', sequential: true })
    await expect(created).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
  })
})
