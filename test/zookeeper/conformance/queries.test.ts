import { loseNextReply } from '../harness/lose-reply.ts'
import { opcode } from './opcodes.ts'
import { conformance, expect, it } from './support.ts'

conformance('whoAmI', () => {
  it('answers the address that the server sees', async ({ zk }) => {
    expect(await zk.whoAmI()).toEqual([{ scheme: 'ip', user: '127.0.0.1' }])
  })

  it('answers every identity that was proven', async ({ zk }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.addAuth('digest', 'jane:secret')
    const users = (await zk.whoAmI()).map(({ scheme, user }) => `${scheme}:${user}`)
    expect(users.toSorted()).toEqual(['digest:jane', 'digest:john', 'ip:127.0.0.1'])
  })
})

conformance('getEphemerals', () => {
  it('answers the ephemeral nodes of this session', async ({ zk, other }) => {
    await zk.create('/p')
    await zk.create('/p/persistent')
    await zk.create('/p/b', '', { mode: 'ephemeral' })
    await zk.create('/p/a', '', { mode: 'ephemeral' })
    await other.create('/p/others', '', { mode: 'ephemeral' })
    expect((await zk.getEphemerals()).toSorted()).toEqual(['/p/a', '/p/b'])
  })

  it('answers those whose path begins with the prefix', async ({ zk }) => {
    for (const path of ['/one', '/one-more', '/two']) {
      await zk.create(path, '', { mode: 'ephemeral' })
    }
    expect((await zk.getEphemerals('/one')).toSorted()).toEqual(['/one', '/one-more'])
  })

  it('answers nothing for a session without any', async ({ zk }) => {
    expect(await zk.getEphemerals()).toEqual([])
  })

  it('forgets a node that somebody deleted', async ({ zk, other }) => {
    await zk.create('/e', '', { mode: 'ephemeral' })
    await other.delete('/e')
    await zk.catchUp()
    expect(await zk.getEphemerals()).toEqual([])
  })
})

conformance('getAllChildrenNumber', () => {
  it('counts all nodes below a path', async ({ zk }) => {
    for (const path of ['/p', '/p/a', '/p/a/b', '/p/a/b/c', '/p/d', '/p-sibling']) {
      await zk.create(path)
    }
    expect(await zk.getAllChildrenNumber('/p')).toBe(4)
  })

  it('is 0 for a node without children', async ({ zk }) => {
    await zk.create('/p')
    expect(await zk.getAllChildrenNumber('/p')).toBe(0)
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.getAllChildrenNumber('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })
})

conformance('catchUp', () => {
  it('lets a client see what another one has written', async ({ zk, other }) => {
    for (let round = 0; round < 20; round++) {
      const { path } = await zk.create('/n-', '', { sequential: true })
      await other.catchUp()
      expect(await other.exists(path)).toBeDefined()
    }
  })

  it('does not mind a root that is absent', async ({ clients }) => {
    const nowhere = await clients.connect({ chroot: '/nowhere' })
    await expect(nowhere.catchUp()).resolves.toBeUndefined()
  })

  it('is sent again when the connection is lost before its answer', async ({
    proxied: zk,
    proxy,
  }) => {
    const lost = loseNextReply(proxy, opcode.multi)
    const caughtUp = zk.catchUp()
    await lost
    await expect(caughtUp).resolves.toBeUndefined()
  })
})

conformance('sync', () => {
  it('does not mind a path that is absent', async ({ zk }) => {
    await expect(zk.sync('/missing')).resolves.toBeUndefined()
  })
})
