/**
 * The ZooKeeper client by itself: two participants elect a leader.
 *
 * The leader publishes a setting and the other participant sees it; then the leader leaves and the other one takes
 * over.
 *
 *   npm run example -- leader-and-followers
 */
import { once } from 'node:events'

import { LeaderLatch, toText, TreeCache, ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'

const server = await startServer({ port: 0 })
console.log(`embedded server on ${server.connectString}`)

const ann = await takePart('ann')
const bob = await takePart('bob')
await ann.latch.acquired()
console.log('ann leads')

const seen = once(bob.settings, 'node:created')
await ann.client.create('/shop/settings', 'rate = 10', { parents: true })
await seen
const node = bob.settings.get('/shop/settings')
console.log(`bob sees "${node === undefined ? '' : toText(node.data)}"`)

await ann.leave()
await bob.latch.acquired()
console.log('ann has left, bob leads')

await bob.leave()
await server.stop()

async function takePart(id: string) {
  const client = await ZooKeeper.connect({ servers: server.connectString })
  const latch = new LeaderLatch(client, '/shop/leader', { id })
  const settings = new TreeCache(client, '/shop/settings')
  await latch.start()
  await settings.start()
  const leave = async (): Promise<void> => {
    await latch.stop()
    await settings.stop()
    await client.close()
  }
  return { client, latch, settings, leave }
}
