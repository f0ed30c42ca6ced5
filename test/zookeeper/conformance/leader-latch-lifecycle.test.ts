import { LeaderLatch, type ZooKeeper } from '@elasticjob/zookeeper'
import { HoldingNetwork } from './holding-network.ts'
import { inLine, started } from './latches.ts'
import { conformance, expect, it } from './support.ts'

const path = '/latch'

conformance('the life of a leader latch', () => {
  it('has one start', async ({ zk }) => {
    const latch = await started(zk, path)
    await expect(latch.start()).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
    await latch.stop()
    await expect(latch.start()).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
  })

  it('may end before it began', async ({ zk }) => {
    const latch = new LeaderLatch(zk, path)
    await latch.stop()
    await expect(latch.start()).rejects.toMatchObject({ code: 'ZK_INVALID_ARGUMENT' })
    expect(await zk.exists(path)).toBeUndefined()
  })

  it('may end while it begins', async ({ zk, other }) => {
    const latch = new LeaderLatch(zk, path)
    const starting = latch.start()
    const stopping = latch.stop()
    await expect(starting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await stopping
    expect(await inLine(other, path)).toEqual([])
    expect(zk.watchCount).toBe(0)
  })

  it('has ended for everybody who ends it', async ({ clients, other }) => {
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport })
    const latch = await started(zk, path)
    await latch.acquired()
    const ended: string[] = []
    network.hold()
    const first = latch.stop().then(() => ended.push('first'))
    const second = latch.stop().then(() => ended.push('second'))
    await network.holds(1)
    expect(ended).toEqual([])
    network.release()
    await Promise.all([first, second])
    expect(await inLine(other, path)).toEqual([])
  })

  it('has ended for who ends it once more while it looks at the line', async ({
    clients,
    other,
  }) => {
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport })
    const latch = await started(zk, path)
    await latch.acquired()
    network.hold(1)
    await other.set(latch.node as string, 'a reason to look')
    await network.holds(1)
    const first = latch.stop()
    network.release()
    network.hold(1)
    await network.holds(1)
    let ended = false
    const second = latch.stop().then(() => {
      ended = true
    })
    await new Promise(setImmediate)
    expect(ended).toBe(false)
    network.release()
    await Promise.all([first, second])
  })

  it('leaves no listener and no watch behind', async ({ zk, other }) => {
    const before = listenersOf(zk)
    const leader = await started(other, path)
    const follower = await started(zk, path)
    await leader.acquired()
    await follower.participants()
    await follower.stop()
    expect(listenersOf(zk)).toEqual(before)
    expect(zk.watchCount).toBe(0)
    await leader.stop()
    expect(other.watchCount).toBe(0)
  })

  it('leaves the watches of others alone', async ({ zk, other }) => {
    const leader = await started(other, path)
    const staying = await started(zk, path)
    const leaving = await started(zk, path)
    await leader.acquired()
    await staying.participants()
    await leaving.stop()
    await leader.stop()
    await staying.acquired()
    expect(staying.hasLeadership).toBe(true)
    expect(await inLine(other, path)).toEqual([staying.node])
  })

  it('ends with its scope', async ({ zk, other }) => {
    {
      await using latch = await started(zk, path)
      await latch.acquired()
    }
    expect(await inLine(other, path)).toEqual([])
  })
})

conformance('waiting for leadership', () => {
  it('is over at once for who leads', async ({ zk }) => {
    const latch = await started(zk, path)
    await latch.acquired()
    const again = latch.acquired()
    // It waits for no event: only what is known here counts.
    expect(latch.listenerCount('leadership:gained')).toBe(0)
    await again
    expect(latch.hasLeadership).toBe(true)
  })

  it('can be given up', async ({ zk, other }) => {
    const leader = await started(other, path)
    const follower = await started(zk, path)
    await leader.acquired()
    const giveUp = new AbortController()
    const waiting = follower.acquired({ signal: giveUp.signal })
    giveUp.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(follower.listenerCount('leadership:gained')).toBe(0)
    await expect(follower.acquired({ signal: giveUp.signal })).rejects.toThrow('enough')
    await leader.stop()
    await follower.acquired()
  })

  it('is in vain when the latch is stopped', async ({ zk, other }) => {
    const leader = await started(other, path)
    const follower = await started(zk, path)
    await leader.acquired()
    const waiting = follower.acquired()
    const stopping = follower.stop()
    await expect(waiting).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    await stopping
    await expect(follower.acquired()).rejects.toMatchObject({ code: 'ZK_CLOSED' })
    expect(follower.listenerCount('leadership:gained')).toBe(0)
  })
})

conformance('a leader latch without room for its requests', () => {
  it('leads as soon as there is room', async ({ clients, other }) => {
    const room = 8
    const network = new HoldingNetwork()
    const zk = await clients.connect({ transport: network.transport, maxOutstanding: room })
    const leader = await started(other, path)
    const follower = await started(zk, path)
    await leader.acquired()
    // Asked behind the follower's own questions: it knows whom it waits for.
    await follower.participants()
    await zk.catchUp()
    network.hold()
    await leader.stop()
    await network.holds(1)
    // The latch may still be looking at the line: it then takes up some of the room itself.
    const others = Array.from({ length: room - zk.outstanding }, () => zk.exists('/'))
    await network.holds(room + 1)
    network.deliver(1)
    await new Promise(setImmediate)
    network.release()
    await Promise.all(others)
    await follower.acquired()
  })

  it('does not start', async ({ clients }) => {
    const zk = await clients.connect({ maxOutstanding: 1 })
    const asked = zk.exists('/')
    const starting = new LeaderLatch(zk, path).start()
    await expect(starting).rejects.toMatchObject({ code: 'ZK_QUEUE_FULL' })
    await asked
  })
})

function listenersOf(zk: ZooKeeper): Record<string, number> {
  return Object.fromEntries(zk.eventNames().map((name) => [name, zk.listenerCount(name)]))
}
