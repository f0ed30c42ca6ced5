import {
  isZooKeeperError,
  part,
  type TransactionPart,
  TreeCache,
  type ZooKeeper,
} from '@elasticjob/zookeeper'
import { RandomWrites, type Write } from '../conformance/random-writer.ts'
import { cacheView, serverView, type TreeView } from '../conformance/tree-view.ts'
import type { CuratorCreateMode, CuratorPeer } from '../harness/curator-peer.ts'
import { eventually } from '../harness/eventually.ts'
import { besideCurator, expect, it } from './support.ts'

type SingleWrite = Exclude<Write, { op: 'transaction' }>

async function writeByOurs(zk: ZooKeeper, write: Write): Promise<void> {
  const writes = write.op === 'transaction' ? write.writes : [write]
  await zk.multi(writes.map(asPart)).catch((error: unknown) => {
    if (!isZooKeeperError(error) || error.errno === undefined) throw error
  })
}

function asPart(write: SingleWrite): TransactionPart {
  if (write.op === 'create') return part.create(write.path, write.data, { mode: write.mode })
  return write.op === 'set' ? part.set(write.path, write.data) : part.delete(write.path)
}

async function writeByCurator(peer: CuratorPeer, write: Write): Promise<void> {
  const written =
    write.op === 'transaction'
      ? peer.transaction(write.writes)
      : write.op === 'create'
        ? peer.create(write.path, write.data, write.mode.toUpperCase() as CuratorCreateMode)
        : write.op === 'set'
          ? peer.set(write.path, write.data)
          : peer.delete(write.path)
  await (written as Promise<unknown>).catch((error: unknown) => {
    if (!String(error).includes('KeeperException')) throw error
  })
}

/** Gives every empty node a child: an empty container would go while it is looked at. */
async function settle(zk: ZooKeeper, root: string): Promise<void> {
  const paths = Object.keys(await serverView(zk, root))
  for (const path of paths) {
    await writeByOurs(zk, { op: 'create', path: `${path}/keep`, data: '', mode: 'persistent' })
  }
}

async function curatorView(peer: CuratorPeer, name: string): Promise<TreeView> {
  const nodes = await peer.dump(name)
  return Object.fromEntries(nodes.map(({ path, ...node }) => [path, node]))
}

/** Curator does not say when its cache has caught up; it has when it shows what the server has. */
function caughtUp(peer: CuratorPeer, name: string, view: TreeView): Promise<TreeView> {
  let last: TreeView = {}
  return eventually(
    async () => {
      last = await curatorView(peer, name)
      return sameView(last, view) ? last : undefined
    },
    { what: "Curator's cache like the server", timeoutMs: 10_000 },
  ).catch(() => last)
}

function sameView(one: TreeView, other: TreeView): boolean {
  const asText = (view: TreeView): string =>
    Object.entries(view)
      .map(([path, { data, version, czxid, mzxid }]) => [path, data, version, czxid, mzxid].join())
      .toSorted()
      .join('\n')
  return asText(one) === asText(other)
}

besideCurator('a tree cache beside that of Curator', () => {
  for (const seed of [1, 2, 3]) {
    it(`ends with the same view of what both write (seed ${seed})`, async ({
      root,
      ours,
      otherOurs,
      java,
      otherJava,
    }) => {
      const tree = `${root}/tree`
      await ours.create(tree)
      const modes = ['persistent', 'persistent', 'ephemeral', 'container'] as const
      const byOurs = new RandomWrites(seed, tree, modes)
      const byCurator = new RandomWrites(seed + 100, tree, modes)
      const write = async (count: number): Promise<void> => {
        await Promise.all([
          ...[ours, otherOurs].map(async (zk) => {
            for (let i = 0; i < count; i++) await writeByOurs(zk, byOurs.next())
          }),
          ...[java, otherJava].map(async (peer) => {
            for (let i = 0; i < count; i++) await writeByCurator(peer, byCurator.next())
          }),
        ])
      }

      await write(50)
      // Both caches are loaded while both write.
      const writing = write(150)
      const cache = new TreeCache(ours, tree)
      await Promise.all([cache.start(), java.startCache(root, tree)])
      await writing
      await settle(ours, tree)

      const view = await serverView(otherOurs, tree)
      expect(Object.keys(view).length).toBeGreaterThan(3)
      await cache.sync()
      expect(cacheView(cache)).toEqual(view)
      expect(await caughtUp(java, root, view)).toEqual(view)
      await java.closeCache(root)
    })
  }

  it('tells of what Curator writes', async ({ root, ours, java }) => {
    const cache = new TreeCache(ours, root)
    await cache.start()
    await java.create(`${root}/a/b`, 'deep')
    await java.create(`${root}/container`, '', 'CONTAINER')
    await java.create(`${root}/container/e`, '', 'EPHEMERAL')
    await java.transaction([
      { op: 'set', path: `${root}/a`, data: 'set' },
      { op: 'create', path: `${root}/a/c`, data: 'created' },
      { op: 'delete', path: `${root}/a/b` },
    ])
    await cache.sync()
    expect(cacheView(cache)).toEqual(await serverView(ours, root))
    expect([...cache.paths()].toSorted()).toEqual([
      root,
      `${root}/a`,
      `${root}/a/c`,
      `${root}/container`,
      `${root}/container/e`,
    ])
  })

  it('shows Curator what ours writes', async ({ root, ours, java }) => {
    await java.startCache(root, root)
    await ours.create(`${root}/a/b`, 'deep', { parents: true })
    await ours.create(`${root}/container`, '', { mode: 'container' })
    await ours.create(`${root}/container/e`, '', { mode: 'ephemeral' })
    await ours.multi([
      part.set(`${root}/a`, 'set'),
      part.create(`${root}/a/c`, 'created'),
      part.delete(`${root}/a/b`),
    ])
    const view = await serverView(ours, root)
    expect(await caughtUp(java, root, view)).toEqual(view)
    await java.closeCache(root)
  })
})
