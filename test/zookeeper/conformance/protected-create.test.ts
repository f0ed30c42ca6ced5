import { nameOf, toText } from '@elasticjob/zookeeper'
import { loseNextReply } from '../harness/lose-reply.ts'
import { opcode, requestOf } from './opcodes.ts'
import { conformance, expect, it } from './support.ts'

const protectedName = /^_c_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-n$/

conformance('a protected create', () => {
  it('puts a unique prefix before the name', async ({ zk }) => {
    const { path, stat } = await zk.create('/n', 'data', { protect: true })
    expect(nameOf(path)).toMatch(protectedName)
    expect(stat).toEqual(await zk.exists(path))
    expect((await zk.create('/n', '', { protect: true })).path).not.toBe(path)
  })

  it('that was carried out and never answered is found, not repeated', async ({
    proxied: zk,
    proxy,
  }) => {
    await zk.create('/p')
    const lost = loseNextReply(proxy, opcode.create2)
    const created = zk.create('/p/n', 'data', { protect: true })
    await lost
    const { path, stat } = await created
    expect((await zk.children('/p')).children).toEqual([nameOf(path)])
    expect(toText((await zk.get(path)).data)).toBe('data')
    expect(stat).toEqual(await zk.exists(path))
  })

  it('that never reached the server is sent again', async ({ proxied: zk, proxy }) => {
    await zk.create('/p')
    proxy.onClientFrame = (frame) => {
      if (requestOf(frame) !== opcode.create2) return 'pass'
      proxy.onClientFrame = undefined
      return 'drop'
    }
    const { path } = await zk.create('/p/n', '', { protect: true })
    expect((await zk.children('/p')).children).toEqual([nameOf(path)])
  })

  it('may be sequential and ephemeral, and still is made once', async ({ proxied: zk, proxy }) => {
    await zk.create('/p')
    const lost = loseNextReply(proxy, opcode.create2)
    const created = zk.create('/p/n-', '', { protect: true, sequential: true, mode: 'ephemeral' })
    await lost
    const { path, stat } = await created
    expect(path).toMatch(/-n-0000000000$/)
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
    expect((await zk.children('/p')).children).toEqual([nameOf(path)])
  })

  it('may make its parents, and still is made once', async ({ proxied: zk, proxy }) => {
    const lost = loseNextReply(proxy, opcode.multi)
    const created = zk.create('/a/b/n', '', { protect: true, parents: true })
    await lost
    const { path } = await created
    expect((await zk.children('/a/b')).children).toEqual([nameOf(path)])
  })

  it('of an ephemeral node fails when its session expires in between', async ({
    proxied: zk,
    proxy,
    target,
  }) => {
    await zk.create('/p')
    const lost = loseNextReply(proxy, opcode.create2)
    const created = zk.create('/p/n', '', { protect: true, mode: 'ephemeral' })
    await lost
    proxy.refuse()
    await target.expireSession(zk.sessionId, zk.sessionPassword)
    await proxy.accept()
    await expect(created).rejects.toMatchObject({ code: 'ZK_SESSION_EXPIRED' })
    await zk.catchUp()
    expect((await zk.children('/p')).children).toEqual([])
  })

  it('of a node that stays is found although its session expires in between', async ({
    proxied: zk,
    proxy,
    target,
  }) => {
    await zk.create('/p')
    const lost = loseNextReply(proxy, opcode.create2)
    const created = zk.create('/p/n', '', { protect: true })
    await lost
    proxy.refuse()
    await target.expireSession(zk.sessionId, zk.sessionPassword)
    await proxy.accept()
    const { path } = await created
    expect((await zk.children('/p')).children).toEqual([nameOf(path)])
  })

  it('that the server refuses fails like any other', async ({ zk }) => {
    await expect(zk.create('/missing/n', '', { protect: true })).rejects.toMatchObject({
      code: 'ZK_NO_NODE',
    })
  })
})
