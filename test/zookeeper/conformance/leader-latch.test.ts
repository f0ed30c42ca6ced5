import {
  LeaderLatch,
  parentOf,
  permission,
  readOnlyAcl,
  toText,
  type WatchEvent,
} from '@elasticjob/zookeeper'
import { inLine, recordLatch, started } from './latches.ts'
import { Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

const path = '/jobs/election/latch'

conformance('a leader latch', () => {
  it('leads when it is alone', async ({ zk }) => {
    const latch = new LeaderLatch(zk, path)
    const told = recordLatch(latch)
    expect(latch.hasLeadership).toBe(false)
    await latch.start()
    await latch.acquired()
    expect(latch.hasLeadership).toBe(true)
    expect(told.seen).toEqual(['gained'])
  })

  it('stands in line by a node in the form of Curator', async ({ zk }) => {
    const latch = await started(zk, path, 'worker 1')
    const { children } = await zk.children(path)
    expect(children).toHaveLength(1)
    expect(children[0]).toMatch(/^_c_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-latch-\d{10}$/)
    expect(latch.node).toBe(`${path}/${children[0]}`)
    const { data, stat } = await zk.get(latch.node as string)
    expect(toText(data)).toBe('worker 1')
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
  })

  it('lets one lead at a time, in the order of their arrival', async ({ zk, other, clients }) => {
    const line = [
      await started(zk, path),
      await started(other, path),
      await started(await clients.connect(), path),
    ]
    const leading = (): number[] => [...line.keys()].filter((i) => line[i]?.hasLeadership)
    for (const [place, latch] of line.entries()) {
      await latch.acquired()
      expect(leading()).toEqual([place])
      await latch.stop()
    }
    expect(leading()).toEqual([])
  })

  it('hands over when its leader stops, and not before', async ({ zk, other }) => {
    const leader = await started(zk, path)
    const next = await started(other, path)
    const told = recordLatch(next)
    await leader.acquired()
    expect(await inLine(other, path)).toEqual([leader.node, next.node])
    expect(told.seen).toEqual([])
    await leader.stop()
    expect(leader.hasLeadership).toBe(false)
    await next.acquired()
    expect(told.seen).toEqual(['gained'])
  })

  it('hands over past somebody who has left the line', async ({ zk, other, clients }) => {
    const leader = await started(zk, path)
    const middle = await started(other, path)
    const third = await clients.connect()
    const last = await started(third, path)
    const told = recordLatch(last)
    await leader.acquired()
    await middle.stop()
    // Its server may be behind the one that took the node of the middle away.
    await third.catchUp()
    expect(await last.participants()).toHaveLength(2)
    expect(told.seen).toEqual([])
    await leader.stop()
    await last.acquired()
  })

  it('hands over among latches of one client', async ({ zk }) => {
    const first = await started(zk, path)
    const second = await started(zk, path)
    await first.acquired()
    expect(second.hasLeadership).toBe(false)
    await first.stop()
    await second.acquired()
  })

  it('loses its leadership with its node, and stands at the end', async ({ zk, other }) => {
    const leader = await started(zk, path)
    const next = await started(other, path)
    await leader.acquired()
    const told = recordLatch(leader)
    const firstNode = leader.node as string
    await other.delete(firstNode)
    await next.acquired()
    await told.first()
    expect(told.seen).toEqual(['lost'])
    await next.stop()
    await leader.acquired()
    expect(sequenceOf(leader.node)).toBeGreaterThan(sequenceOf(next.node ?? firstNode))
    expect(told.seen).toEqual(['lost', 'gained'])
  })

  it('stands anew when its node is gone by the time it would lead', async ({ zk, other }) => {
    const leader = await started(zk, path)
    const next = await started(other, path)
    await leader.acquired()
    const removed = next.node as string
    await zk.delete(removed)
    await leader.stop()
    await next.acquired()
    expect(next.node).not.toBe(removed)
    expect(await next.participants()).toHaveLength(1)
  })

  it('stands anew when the whole path is removed', async ({ zk, other }) => {
    const latch = await started(zk, path)
    await latch.acquired()
    const told = recordLatch(latch)
    await other.deleteRecursive('/jobs')
    await told.atLeast(2)
    expect(told.seen).toEqual(['lost', 'gained'])
    expect(await inLine(other, path)).toEqual([latch.node])
  })

  it('leaves nothing behind, not even the path', async ({ zk }) => {
    const latch = await started(zk, path)
    const events = new Recorder<WatchEvent>()
    await zk.exists(path, { watch: events.record })
    await zk.exists(parentOf(path), { watch: events.record })
    await latch.stop()
    await events.atLeast(2)
    expect(events.seen).toEqual([
      { type: 'deleted', path },
      { type: 'deleted', path: parentOf(path) },
    ])
  })

  it('lists those in line, the leader first', async ({ zk, other }) => {
    const first = await started(zk, path, 'one')
    const second = await started(other, path, 'zwei')
    const third = await started(zk, path)
    await zk.create(`${path}/somebody-else`)
    await other.sync()
    expect(await second.participants()).toEqual([
      { id: 'one', node: first.node, isLeader: true },
      { id: 'zwei', node: second.node, isLeader: false },
      { id: '', node: third.node, isLeader: false },
    ])
  })

  it('lists nobody where nobody is in line', async ({ zk }) => {
    expect(await new LeaderLatch(zk, path).participants()).toEqual([])
  })

  it('fails to start for want of a permission', async ({ zk }) => {
    await zk.create(parentOf(path), '', { parents: true })
    await zk.create(path, '', { acl: readOnlyAcl })
    const latch = new LeaderLatch(zk, path)
    await expect(latch.start()).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
    expect(latch.hasLeadership).toBe(false)
    expect(zk.watchCount).toBe(0)
  })

  it('leads no more when it may not see the line', async ({ zk, other }) => {
    const latch = await started(zk, path)
    await latch.acquired()
    const told = recordLatch(latch)
    const everybody = { scheme: 'world', id: 'anyone' }
    await other.setAcl(path, [{ permissions: permission.delete, id: everybody }])
    await other.delete(latch.node as string)
    await told.atLeast(2)
    expect(told.seen).toEqual(['lost', 'failed ZK_NO_AUTH'])
  })
})

function sequenceOf(node: string | undefined): number {
  return Number(node?.slice(-10))
}
