import { afterEach, afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expireSession } from '../harness/expire-session.ts'
import { loseNextReply } from '../harness/lose-reply.ts'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults } from './clients.ts'

const multi = 14
const create = 15

const oneReconnect = ['session:connected', 'session:suspended', 'session:reconnected'] as const

faults('a create whose answer is lost', () => {
  let server: ZooKeeperProcess
  let proxy: TcpProxy
  let parent: string
  let tests = 0

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    proxy = await TcpProxy.start({ target: server.port, framed: true })
    parent = `/parent-${++tests}`
  })
  afterEach(() => proxy.stop())

  /** Loses the next request of this kind on its way to the server, and the connection with it. */
  function loseNextRequest(opcode: number): void {
    proxy.onClientFrame = ({ index, payload }) => {
      if (index === 0 || payload.readInt32BE(4) !== opcode) return 'pass'
      proxy.onClientFrame = undefined
      return 'drop'
    }
  }

  it('says that its outcome is unknown, and is not repeated', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create(parent)
    const lost = loseNextReply(proxy, create)
    const failure = zk.create(`${parent}/n`, '', { sequential: true })
    await expect(failure).rejects.toMatchObject({
      code: 'ZK_CONNECTION_LOSS',
      operation: 'create',
      path: `${parent}/n`,
      outcomeUnknown: true,
    })
    await lost
    await history.until('session:reconnected')
    expect((await zk.children(parent)).children).toEqual(['n0000000000'])
    expect(history.names).toEqual(oneReconnect)
  })

  it.each(['persistent', 'ephemeral'] as const)(
    'is found out about when it is protected: %s and sequential',
    async (mode) => {
      const { zk, history } = await connectClient({ servers: proxy.connectString })
      await zk.create(parent)
      const lost = loseNextReply(proxy, create)
      const options = { mode, sequential: true, protect: true } as const
      const { path, stat } = await zk.create(`${parent}/n`, 'data', options)
      await lost
      const { children, stat: parentStat } = await zk.children(parent)
      expect(children).toEqual([path.slice(parent.length + 1)])
      expect(path).toMatch(/\/_c_[0-9a-f-]{36}-n0000000000$/)
      // Not even for a moment was there a second one.
      expect(parentStat.cversion).toBe(1)
      expect(stat.ephemeralOwner).toBe(mode === 'ephemeral' ? zk.sessionId : 0n)
      expect(history.names).toEqual(oneReconnect)
    },
  )

  it('is made after all when it is protected and never reached the server', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create(parent)
    loseNextRequest(create)
    const { path } = await zk.create(`${parent}/n`, '', { sequential: true, protect: true })
    const { children, stat } = await zk.children(parent)
    expect(children).toEqual([path.slice(parent.length + 1)])
    expect(stat.cversion).toBe(1)
    expect(history.names).toEqual(oneReconnect)
  })

  it('is found out about when its parents are made with it', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    const lost = loseNextReply(proxy, multi)
    const options = { mode: 'ephemeral', protect: true, parents: true } as const
    const { path } = await zk.create(`${parent}/deep/n`, '', options)
    await lost
    expect((await zk.children(`${parent}/deep`)).children).toEqual([path.split('/').at(-1)])
    expect(history.names).toEqual(oneReconnect)
  })

  it('survives that the answer to its search is lost, too', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create(parent)
    const getChildren = 12
    const lost = loseNextReply(proxy, create).then(() => loseNextReply(proxy, getChildren))
    const { path } = await zk.create(`${parent}/n`, '', { sequential: true, protect: true })
    await lost
    expect((await zk.children(parent)).children).toEqual([path.slice(parent.length + 1)])
    expect(history.names).toEqual([...oneReconnect, ...oneReconnect.slice(1)])
  })

  /** A create whose answer is lost, in a session that expires before anybody can look for it. */
  async function createInLostSession(mode: 'persistent' | 'ephemeral'): Promise<{
    readonly outcome: unknown
    readonly children: string[]
  }> {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create(parent)
    const lost = loseNextReply(proxy, create).then(() => proxy.refuse())
    const options = { mode, sequential: true, protect: true } as const
    const creating = zk.create(`${parent}/n`, '', options).catch((error: unknown) => error)
    await lost
    await history.until('session:suspended')
    await expireSession(server.connectString, zk.sessionId, zk.sessionPassword)
    await proxy.accept()
    await history.until('session:renewed')
    return { outcome: await creating, children: (await zk.children(parent)).children }
  }

  it('is found by the next session when this one expired meanwhile', async () => {
    const { outcome, children } = await createInLostSession('persistent')
    expect(children).toHaveLength(1)
    expect(outcome).toMatchObject({ path: `${parent}/${children[0] ?? ''}` })
  })

  it('is gone with its session when it was to be ephemeral', async () => {
    const { outcome, children } = await createInLostSession('ephemeral')
    expect(children).toEqual([])
    expect(outcome).toMatchObject({ code: 'ZK_SESSION_EXPIRED', path: `${parent}/n` })
  })

  it('stays in doubt when nobody can be asked in time', async () => {
    const { zk, history } = await connectClient({ servers: proxy.connectString })
    await zk.create(parent)
    const lost = loseNextReply(proxy, create).then(() => proxy.refuse())
    const creating = zk.create(`${parent}/n`, '', { protect: true, timeout: 300 })
    await expect(creating).rejects.toMatchObject({
      code: 'ZK_DEADLINE_EXCEEDED',
      operation: 'create',
      path: `${parent}/n`,
      outcomeUnknown: true,
    })
    await lost
    await proxy.accept()
    await history.until('session:reconnected')
  })
})
