import { TreeCache, ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { expect, it } from 'vitest'

import { MemoryNetwork } from '../../src/testing/memory-network.ts'
import { MemoryServer } from '../../src/testing/memory-server.ts'
import { SimulatedClock } from '../../src/testing/simulated-clock.ts'

it('TreeCache sends no reads while its client is closing', async () => {
  const clock = new SimulatedClock()
  const random = new SeededRandom(1)
  const network = new MemoryNetwork({ clock, latency: () => 1 })
  const server = await MemoryServer.start({ network, clock, random, host: '10.0.0.1' })
  const connect = (machine: string): Promise<ZooKeeper> =>
    clock.until(
      ZooKeeper.connect({
        servers: server.connectString,
        transport: network.transport(machine),
        clock,
        random,
      }),
    )
  const client = await connect('10.0.0.2')
  const other = await connect('10.0.0.3')
  await clock.until(client.create('/shop', ''))
  const cache = new TreeCache(client, '/shop')
  await clock.until(cache.start())
  // The cache receives a change when the client accepts no requests any more, but is not closed yet.
  const changed = other.set('/shop', 'sold')
  await clock.advance(1)
  await clock.until(client.close())
  await clock.until(changed)
  expect(cache.freshness.state).toBe('unloaded')
  await clock.until(other.close())
  await clock.until(server.stop())
})
