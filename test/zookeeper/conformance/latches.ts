import { isZooKeeperError, LeaderLatch, type ZooKeeper } from '@elasticjob/zookeeper'
import { Recorder } from './recorder.ts'

/** A latch that stands in line. */
export async function started(zk: ZooKeeper, path: string, id?: string): Promise<LeaderLatch> {
  const latch = new LeaderLatch(zk, path, id === undefined ? {} : { id })
  await latch.start()
  return latch
}

/** What a latch tells from now on: `gained`, `lost`, or `failed` with the error's code. */
export function recordLatch(latch: LeaderLatch): Recorder<string> {
  const told = new Recorder<string>()
  latch.on('leadership:gained', () => told.record('gained'))
  latch.on('leadership:lost', () => told.record('lost'))
  latch.on('latch:failed', ({ error }) =>
    told.record(`failed ${isZooKeeperError(error) ? error.code : String(error)}`),
  )
  return told
}

/** The nodes in line, the leader's first, as everybody sees them who asks now. */
export async function inLine(zk: ZooKeeper, path: string): Promise<string[]> {
  await zk.sync(path)
  const participants = await new LeaderLatch(zk, path).participants()
  return participants.map(({ node }) => node)
}
