import { LeaderLatch } from '@elasticjob/zookeeper'
import { loseNextReply } from '../harness/lose-reply.ts'
import { inLine, recordLatch, started } from './latches.ts'
import { opcode } from './opcodes.ts'
import { renewCutOff } from './outage.ts'
import { next } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

const path = '/latch'

conformance('a leader latch and its session', () => {
  it('leads no more as soon as the connection is lost', async ({ proxied, proxy }) => {
    const latch = await started(proxied, path)
    await latch.acquired()
    const suspended = new Promise<boolean>((resolve) => {
      proxied.once('session:suspended', () => resolve(latch.hasLeadership))
    })
    proxy.dropAll()
    expect(await suspended).toBe(false)
  })

  it('keeps its place over a lost connection', async ({ proxied, proxy, other }) => {
    const leader = await started(proxied, path)
    const follower = await started(other, path)
    await leader.acquired()
    const told = recordLatch(leader)
    const followerTold = recordLatch(follower)
    const { node } = leader
    proxy.dropAll()
    await told.atLeast(2)
    expect(told.seen).toEqual(['lost', 'gained'])
    expect(leader.node).toBe(node)
    expect(followerTold.seen).toEqual([])
  })

  it('leads after a reconnect if its turn came meanwhile', async ({ proxied, proxy, other }) => {
    const leader = await started(other, path)
    const follower = await started(proxied, path)
    await leader.acquired()
    const { node } = follower
    const suspended = next(proxied, 'session:suspended')
    proxy.refuse()
    proxy.dropAll()
    await suspended
    await leader.stop()
    await proxy.accept()
    await follower.acquired()
    expect(follower.node).toBe(node)
  })

  it('stands at the end after its session expired', async ({ proxied, proxy, other, target }) => {
    const first = await started(proxied, path)
    const second = await started(other, path)
    await first.acquired()
    const told = recordLatch(first)
    const { node } = first
    await renewCutOff(proxied, proxy, target)
    await second.acquired()
    expect(told.seen).toEqual(['lost'])
    await second.stop()
    await first.acquired()
    expect(first.node).not.toBe(node)
    expect(await first.participants()).toHaveLength(1)
  })

  it('stands in line once, though the answer to its create was lost', async ({
    proxied,
    proxy,
    other,
  }) => {
    await other.create(path)
    await proxied.sync()
    const lost = loseNextReply(proxy, opcode.create2)
    const latch = await started(proxied, path)
    await lost
    await latch.acquired()
    expect(await inLine(other, path)).toEqual([latch.node])
  })

  it('is out of line, though the answer to its delete was lost', async ({
    proxied,
    proxy,
    other,
  }) => {
    const latch = await started(proxied, path)
    const lost = loseNextReply(proxy, opcode.delete)
    await latch.stop()
    await lost
    expect(await inLine(other, path)).toEqual([])
  })

  it('starts as soon as there is a connection', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy })
    const suspended = next(zk, 'session:suspended')
    proxy.refuse()
    proxy.dropAll()
    await suspended
    const latch = new LeaderLatch(zk, path)
    const starting = latch.start()
    await proxy.accept()
    await starting
    await latch.acquired()
    expect(latch.hasLeadership).toBe(true)
    expect(await inLine(zk, path)).toEqual([latch.node])
  })

  it('leads no more when its client is closed', async ({ clients }) => {
    const zk = await clients.connect()
    const latch = await started(zk, path)
    await latch.acquired()
    const told = recordLatch(latch)
    await zk.close()
    expect(latch.hasLeadership).toBe(false)
    expect(told.seen).toEqual(['lost'])
    await latch.stop()
  })

  it('does not wait for a client that is closed', async ({ clients }) => {
    const zk = await clients.connect()
    const starting = new LeaderLatch(zk, path).start()
    const closing = zk.close()
    await expect(starting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await closing
    const late = new LeaderLatch(zk, path).start()
    await expect(late).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })
})
