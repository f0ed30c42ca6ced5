/**
 * `tree-cache <connect string> <root>`: reads a subtree into a cache, and says what that took. Needs
 * `--expose-gc`: what the cache holds can be told from what has not been collected yet only then.
 */
import { TreeCache, ZooKeeper } from '@elasticjob/zookeeper'
import { say } from './say.ts'

const [servers = '', root = ''] = process.argv.slice(2)
const zk = await ZooKeeper.connect({ servers, requestTimeout: 120_000 })
const cache = new TreeCache(zk, root)
const before = heldBytes()
const cpuBefore = process.cpuUsage()
const started = performance.now()
await cache.start()
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(cpuBefore)
const peakRssMegabytes = process.resourceUsage().maxRSS / 1024
say({
  nodes: cache.size,
  seconds,
  cpuSeconds: (user + system) / 1e6,
  bytes: heldBytes() - before,
  rssMegabytes: process.memoryUsage.rss() / 2 ** 20,
  peakRssMegabytes,
})
await cache.stop()
await zk.close()

/** Objects on the heap and buffers outside it. */
function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
