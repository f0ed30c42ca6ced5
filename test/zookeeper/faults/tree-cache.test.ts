import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { toText, TreeCache, type ZooKeeper } from '@elasticjob/zookeeper'
import { expireSession } from '../harness/expire-session.ts'
import { startStandalone } from '../harness/standalone.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, type TestClient } from './clients.ts'
import { Gate } from './gate.ts'
import { Log } from './log.ts'

type Change = 'node:created' | 'node:changed' | 'node:removed' | 'cache:stale' | 'cache:current'

faults('a tree cache', () => {
  let server: ZooKeeperProcess
  let gate: Gate
  let client: TestClient
  let others: TestClient
  let cache: TreeCache
  let told: Log<readonly [Change, string]>
  let root: string
  let tests = 0

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  beforeEach(async () => {
    gate = new Gate()
    const servers = server.connectString
    client = await connectClient({ servers, transport: gate.transport })
    others = await connectClient({ servers, sessionTimeout: 9_000 })
    root = `/tree-${++tests}`
    await others.zk.create(`${root}/a/x`, '1', { parents: true })
    await others.zk.create(`${root}/b`, '1')
    cache = new TreeCache(client.zk, root)
    await cache.start()
    told = new Log()
    for (const change of ['node:created', 'node:changed', 'node:removed'] as const) {
      cache.on(change, ({ path }: { path: string }) => told.add([change, path.slice(root.length)]))
    }
    cache.on('cache:stale', () => told.add(['cache:stale', '']))
    cache.on('cache:current', () => told.add(['cache:current', '']))
  })

  /** Things that happen to the tree while the cache cannot see them. */
  async function changeEverything(): Promise<void> {
    await others.zk.set(`${root}/a`, '2')
    await others.zk.delete(`${root}/a/x`)
    await others.zk.create(`${root}/a/y`, '1')
    await others.zk.delete(`${root}/b`)
    await others.zk.create(`${root}/b`, 'another')
    await others.zk.create(`${root}/c/deep/er`, '1', { parents: true })
  }

  const unseenChanges = [
    ['node:changed', '/a'],
    ['node:removed', '/a/x'],
    ['node:created', '/a/y'],
    ['node:removed', '/b'],
    ['node:created', '/b'],
    ['node:created', '/c'],
    ['node:created', '/c/deep'],
    ['node:created', '/c/deep/er'],
  ] as const

  /** What the cache told between being stale and being current, by path; it then follows again. */
  async function toldUntilCurrent(): Promise<(readonly [Change, string])[]> {
    await told.until(([change]) => change === 'cache:current')
    const changes = told.entries.slice(1, -1).toSorted(byPath)
    expect(told.entries.at(0)).toEqual(['cache:stale', ''])
    expect(told.entries.at(-1)).toEqual(['cache:current', ''])
    expect(cached(cache)).toEqual(await onServer(others.zk, root))

    const before = told.entries.length
    await others.zk.create(`${root}/after`)
    await cache.sync()
    await others.zk.set(`${root}/after`, 'new')
    await cache.sync()
    await others.zk.delete(`${root}/after`)
    await cache.sync()
    expect(told.entries.slice(before)).toEqual([
      ['node:created', '/after'],
      ['node:changed', '/after'],
      ['node:removed', '/after'],
    ])
    expect(cached(cache)).toEqual(await onServer(others.zk, root))
    return changes
  }

  it('is stale while its server is killed, and equals the server again', async () => {
    const before = cached(cache)
    await server.kill()
    await told.until(([change]) => change === 'cache:stale')
    expect(cache.freshness.state).toBe('stale')
    expect(cached(cache)).toEqual(before)
    gate.close()
    await server.start()
    await others.history.until('session:reconnected')
    await changeEverything()
    gate.open()
    await client.history.until('session:reconnected')
    expect(await toldUntilCurrent()).toEqual(unseenChanges)
  })

  it('tells of nothing when nothing changed meanwhile', async () => {
    await server.restart()
    await client.history.until('session:reconnected')
    expect(await toldUntilCurrent()).toEqual([])
  })

  it('is stale while its server is frozen, and equals the server again', async () => {
    gate.close()
    await server.pause()
    await client.history.until('session:suspended')
    expect(cache.freshness.state).toBe('stale')
    server.resume()
    await changeEverything()
    gate.open()
    expect(await toldUntilCurrent()).toEqual(unseenChanges)
  })

  it('goes over into the next session when its own expires', async () => {
    gate.close()
    await expireSession(server.connectString, client.zk.sessionId, client.zk.sessionPassword)
    await client.history.until('session:suspended')
    await changeEverything()
    gate.open()
    await client.history.until('session:renewed')
    expect(await toldUntilCurrent()).toEqual(unseenChanges)
  })
})

type Content = readonly [path: string, data: string, version: number, czxid: bigint]

function cached(cache: TreeCache): Content[] {
  return [...cache.paths()].toSorted().map((path) => {
    const node = cache.get(path)
    if (node === undefined) throw new Error(`${path} is listed but not there`)
    return [path, toText(node.data), node.stat.version, node.stat.czxid]
  })
}

async function onServer(zk: ZooKeeper, root: string): Promise<Content[]> {
  const { data, stat } = await zk.get(root)
  const { children } = await zk.children(root)
  const below = await Promise.all(children.map((child) => onServer(zk, `${root}/${child}`)))
  const own: Content = [root, toText(data), stat.version, stat.czxid]
  return [own, ...below.flat()].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** By path; the changes of one path stay in their order. */
function byPath(one: readonly [Change, string], other: readonly [Change, string]): number {
  return one[1] === other[1] ? 0 : one[1] < other[1] ? -1 : 1
}
