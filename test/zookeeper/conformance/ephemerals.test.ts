import type { WatchEvent } from '@elasticjob/zookeeper'
import { renew } from './outage.ts'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('an ephemeral node', () => {
  it('belongs to the session that created it', async ({ zk }) => {
    const { stat } = await zk.create('/e', '', { mode: 'ephemeral' })
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
  })

  it('goes when its client is closed', async ({ clients, zk }) => {
    const owner = await clients.connect()
    await owner.create('/e', '', { mode: 'ephemeral' })
    await owner.close()
    await zk.catchUp()
    expect(await zk.exists('/e')).toBeUndefined()
  })

  it('is reported as deleted to others when it goes', async ({ clients, zk }) => {
    const owner = await clients.connect()
    await owner.create('/e', '', { mode: 'ephemeral' })
    await zk.catchUp()
    const events = new Recorder<WatchEvent>()
    await zk.exists('/e', { watch: events.record })
    await owner.close()
    expect((await events.first()).type).toBe('deleted')
  })

  it('goes with many others at once', async ({ clients, zk }) => {
    const owner = await clients.connect()
    await zk.create('/p')
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        owner.create(`/p/${index}`, '', { mode: 'ephemeral' }),
      ),
    )
    await owner.close()
    await zk.catchUp()
    expect(await zk.exists('/p')).toMatchObject({ numChildren: 0, cversion: 1_000 })
  })

  it('can be changed and deleted by others', async ({ zk, other }) => {
    await zk.create('/e', '', { mode: 'ephemeral' })
    expect((await other.set('/e', 'theirs')).version).toBe(1)
    await other.delete('/e')
    await zk.catchUp()
    expect(await zk.exists('/e')).toBeUndefined()
  })

  it('stays refused to the next session until the old one is over', async ({
    zk,
    other,
    target,
  }) => {
    await zk.create('/e', '', { mode: 'ephemeral' })
    await expect(other.create('/e', '', { mode: 'ephemeral' })).rejects.toMatchObject({
      code: 'ZK_NODE_EXISTS',
    })
    await renew(zk, target)
    const { stat } = await other.create('/e', '', { mode: 'ephemeral' })
    expect(stat.ephemeralOwner).toBe(other.sessionId)
  })

  it('may not have children', async ({ zk }) => {
    await zk.create('/e', '', { mode: 'ephemeral' })
    await expect(zk.create('/e/child', '', { mode: 'ephemeral' })).rejects.toMatchObject({
      code: 'ZK_NO_CHILDREN_FOR_EPHEMERALS',
    })
  })
})
