import type { ZooKeeper } from '@elasticjob/zookeeper'
import type { TcpProxy } from '../harness/tcp-proxy.ts'

const setWatches = 101
const setWatches2 = 105

/** More paths than fit into one request that registers them: a server takes a megabyte at most. */
export const manyPaths: readonly string[] = Array.from(
  { length: 10_000 },
  (_, index) => `/${'watched-'.repeat(12)}${String(index).padStart(12, '0')}`,
)

/** The sizes of the requests that register watches again, from now on; the proxy must be framed. */
export function recordWatchRequests(proxy: TcpProxy): number[] {
  const sizes: number[] = []
  proxy.onClientFrame = ({ index, payload }) => {
    const opcode = index === 0 ? 0 : payload.readInt32BE(4)
    if (opcode === setWatches || opcode === setWatches2) sizes.push(payload.length)
    return 'pass'
  }
  return sizes
}

/** Creates nodes at the first, the middle and the last of the paths, and answers which. */
export async function createSome(zk: ZooKeeper): Promise<readonly string[]> {
  const chosen = [0, manyPaths.length / 2, manyPaths.length - 1].map((at) => manyPaths[at] ?? '')
  for (const path of chosen) await zk.create(path)
  return chosen
}
