import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, type TestClient } from './clients.ts'
import { Log } from './log.ts'

faults('watches over a lost connection', () => {
  let server: ZooKeeperProcess
  let proxy: TcpProxy
  let client: TestClient
  let others: TestClient
  let events: Log<WatchEvent>
  let root: string
  let tests = 0

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    proxy = await TcpProxy.start({ target: server.port, framed: true })
    client = await connectClient({ servers: proxy.connectString })
    others = await connectClient({ servers: server.connectString })
    events = new Log<WatchEvent>()
    root = `/root-${++tests}`
    await others.zk.create(root, 'old')
  })
  afterEach(() => proxy.stop())

  /** Takes the connection away, lets this happen, and gives a connection back. */
  async function whileDisconnected(happen: () => Promise<unknown>): Promise<void> {
    const told = client.history.names.length
    proxy.refuse()
    proxy.dropAll()
    await client.history.until('session:suspended', told)
    await happen()
    await proxy.accept()
    await client.history.until('session:reconnected', told)
    await everythingTold()
  }

  /** Whatever the server has told this client so far comes before its next answer. */
  async function everythingTold(): Promise<void> {
    await client.zk.catchUp()
  }

  it('tell once of what changed meanwhile', async () => {
    const { zk } = client
    await others.zk.create(`${root}/changed`)
    await others.zk.create(`${root}/removed`)
    await zk.get(`${root}/changed`, { watch: events.add })
    await zk.exists(`${root}/removed`, { watch: events.add })
    await zk.exists(`${root}/made`, { watch: events.add })
    await zk.children(root, { watch: events.add })

    await whileDisconnected(async () => {
      await others.zk.set(`${root}/changed`, 'new')
      await others.zk.set(`${root}/changed`, 'newer')
      await others.zk.delete(`${root}/removed`)
      await others.zk.create(`${root}/made`)
    })
    const told = [
      { type: 'dataChanged', path: `${root}/changed` },
      { type: 'deleted', path: `${root}/removed` },
      { type: 'created', path: `${root}/made` },
      { type: 'childrenChanged', path: root },
    ]
    expect(sorted(events.entries)).toEqual(sorted(told))

    await others.zk.set(`${root}/changed`, 'newest')
    await others.zk.delete(`${root}/made`)
    await everythingTold()
    expect(events.entries).toHaveLength(told.length)
    expect(zk.watchCount).toBe(0)
  })

  it('tell nothing again of what they told before', async () => {
    const { zk } = client
    await zk.get(root, { watch: events.add })
    await others.zk.set(root, 'new')
    await events.atLeast(1)
    await whileDisconnected(async () => {})
    expect(events.entries).toEqual([{ type: 'dataChanged', path: root }])
    expect(zk.watchCount).toBe(0)
  })

  it('tell nothing of what did not change, and tell of it when it does', async () => {
    const { zk } = client
    await zk.get(root, { watch: events.add })
    await zk.children(root, { watch: events.add })
    await zk.exists(`${root}/absent`, { watch: events.add })
    await whileDisconnected(async () => {})
    await whileDisconnected(async () => {})
    expect(events.entries).toEqual([])

    await others.zk.set(root, 'new')
    await others.zk.create(`${root}/absent`)
    await everythingTold()
    expect(events.entries).toEqual([
      { type: 'dataChanged', path: root },
      { type: 'created', path: `${root}/absent` },
      { type: 'childrenChanged', path: root },
    ])
  })

  it('tell of a change whose event was lost with the connection', async () => {
    const { zk } = client
    await zk.get(root, { watch: events.add })
    const notification = -1
    const lost = new Promise<void>((resolve) => {
      proxy.onServerFrame = ({ index, payload }) => {
        if (index === 0 || payload.readInt32BE(0) !== notification) return 'pass'
        proxy.onServerFrame = undefined
        resolve()
        return 'drop'
      }
    })
    await others.zk.set(root, 'new')
    await lost
    await client.history.until('session:reconnected')
    await everythingTold()
    expect(events.entries).toEqual([{ type: 'dataChanged', path: root }])
  })

  it('are set by a read whose answer was lost', async () => {
    const { zk } = client
    proxy.onServerFrame = ({ index }) => {
      if (index === 0) return 'pass'
      proxy.onServerFrame = undefined
      return 'drop'
    }
    const { stat } = await zk.get(root, { watch: events.add })
    expect(stat.version).toBe(0)
    await others.zk.set(root, 'new')
    await everythingTold()
    expect(events.entries).toEqual([{ type: 'dataChanged', path: root }])
    expect(client.history.names).toContain('session:reconnected')
  })

  it('that stay are there again, and tell of every change from then on', async () => {
    const { zk } = client
    const below = new Log<WatchEvent>()
    await zk.addWatch(root, 'persistent', events.add)
    await zk.addWatch(`${root}/tree`, 'recursive', below.add)
    await whileDisconnected(() => others.zk.create(`${root}/tree`))
    expect(events.entries).toEqual([])
    expect(below.entries).toEqual([])

    await others.zk.set(root, '1')
    await others.zk.set(root, '2')
    await others.zk.create(`${root}/tree/a`)
    await others.zk.set(`${root}/tree/a`, '1')
    await others.zk.delete(`${root}/tree/a`)
    await everythingTold()
    const changed = { type: 'dataChanged', path: root }
    expect(events.entries).toEqual([changed, changed])
    expect(below.entries).toEqual([
      { type: 'created', path: `${root}/tree/a` },
      { type: 'dataChanged', path: `${root}/tree/a` },
      { type: 'deleted', path: `${root}/tree/a` },
    ])
  })

  it('that stay hear nothing of what one-shot watches missed', async () => {
    const { zk } = client
    const once = new Log<WatchEvent>()
    const path = `${root}/both`
    await others.zk.create(path)
    await zk.get(path, { watch: once.add })
    await zk.children(path, { watch: once.add })
    await zk.addWatch(root, 'recursive', events.add)
    await zk.addWatch(path, 'persistent', events.add)
    await whileDisconnected(() => others.zk.delete(path))
    // The server tells it twice, for the data and for the children.
    const deleted = { type: 'deleted', path }
    expect(once.entries).toEqual([deleted, deleted])
    expect(events.entries).toEqual([])

    await others.zk.create(path)
    await everythingTold()
    const created = { type: 'created', path }
    expect(events.entries).toEqual([created, created])
    expect(once.entries).toHaveLength(2)
  })
})

function sorted(events: readonly { type: string; path: string }[]): unknown[] {
  return events.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}
