import {
  isZooKeeperError,
  part,
  type TransactionPart,
  TreeCache,
  type ZooKeeper,
} from '@elasticjob/zookeeper'
import { Dice, RandomWrites, type Write } from './random-writer.ts'
import { conformance, expect, it } from './support.ts'
import { TreeHistory } from './tree-history.ts'
import { cacheView, serverView } from './tree-view.ts'

const root = '/tree'
const writesOfOne = 250

/** Writes at random, several requests under way, until it is told to stop or has written enough. */
async function writeAtRandom(zk: ZooKeeper, seed: number, count = writesOfOne): Promise<void> {
  const writes = new RandomWrites(seed, root, ['persistent', 'persistent', 'ephemeral'])
  const workers = Array.from({ length: 3 }, async () => {
    for (let i = 0; i < count / 3; i++) await carryOut(zk, writes.next())
  })
  await Promise.all(workers)
}

async function carryOut(zk: ZooKeeper, write: Write): Promise<void> {
  try {
    if (write.op === 'transaction') await zk.multi(write.writes.map(asPart))
    else await zk.multi([asPart(write)])
  } catch (error) {
    // Refused by the server for what the tree is like, or lost with a connection: both may be.
    if (!isZooKeeperError(error)) throw error
  }
}

function asPart(write: Exclude<Write, { op: 'transaction' }>): TransactionPart {
  if (write.op === 'create') return part.create(write.path, write.data, { mode: write.mode })
  return write.op === 'set' ? part.set(write.path, write.data) : part.delete(write.path)
}

const seeds = [1, 2, 3, 4, 5, 6]

conformance('a tree cache under random writes', () => {
  for (const seed of seeds) {
    it(`loads while others write (seed ${seed})`, async ({ zk, other, clients }) => {
      await other.create(root)
      await writeAtRandom(other, seed)
      const writing = [
        writeAtRandom(other, seed + 100),
        writeAtRandom(await clients.connect(), seed + 200),
        writeAtRandom(zk, seed + 300),
      ]
      const cache = new TreeCache(zk, root)
      const history = new TreeHistory(cache)
      await cache.start()
      await Promise.all(writing)
      await cache.sync()
      const view = await serverView(other, root)
      expect(cacheView(cache)).toEqual(view)
      expect(history.view).toEqual(view)
      expect(history.contradictions).toEqual([])
    })

    it(`tells of commits in their order (seed ${seed})`, async ({ zk, other, clients }) => {
      await other.create(root)
      const cache = new TreeCache(zk, root)
      const history = new TreeHistory(cache)
      await cache.start()
      await Promise.all([
        writeAtRandom(other, seed),
        writeAtRandom(await clients.connect(), seed + 100),
      ])
      await cache.sync()
      expect(history.commits).toEqual(history.commits.toSorted((a, b) => Number(a - b)))
      expect(history.view).toEqual(await serverView(other, root))
      expect(history.contradictions).toEqual([])
    })

    it(`survives lost connections (seed ${seed})`, async ({ proxied, proxy, other, clients }) => {
      await other.create(root)
      await proxied.sync()
      const cache = new TreeCache(proxied, root)
      const history = new TreeHistory(cache)
      await cache.start()
      const dice = new Dice(seed)
      // The connection is lost at some frame, again and again, as long as others write.
      let framesLeft = dice.below(60)
      proxy.onServerFrame = ({ index }) => {
        if (index === 0 || framesLeft-- > 0) return 'pass'
        framesLeft = dice.below(60)
        return 'drop'
      }
      await Promise.all([
        writeAtRandom(other, seed),
        writeAtRandom(await clients.connect(), seed + 100),
      ])
      proxy.onServerFrame = undefined
      await cache.sync()
      const view = await serverView(other, root)
      expect(cacheView(cache)).toEqual(view)
      expect(history.view).toEqual(view)
      expect(history.contradictions).toEqual([])
    })
  }
})
