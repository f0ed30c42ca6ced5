import { LeaderLatch, type ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { inLatch } from '../../src/election/latch.ts'
import { newInstanceId } from '../../src/job-tree/instance-id.ts'
import { StatePaths } from '../../src/job-tree/paths.ts'
import { systemRandom } from '../../src/random.ts'
import { RegistrySession } from '../../src/registry/registry-session.ts'
import { RegistryTime } from '../../src/registry/registry-time.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { registryOn } from '../support/registry-on.ts'

const path = '/job/latch'

let cluster: SimulatedCluster
let other: ZooKeeper
let session: RegistrySession

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
  other = await cluster.client('10.0.1.2')
  const client = await cluster.client('10.0.1.1')
  const newId = (): string => newInstanceId('10.0.1.1', 1, systemRandom)
  const nodes = new StatePaths('shop')
  const time = new RegistryTime(cluster.clock)
  session = await cluster.until(RegistrySession.open(registryOn(client), nodes, newId, time))
})

afterEach(() => cluster.stop())

const line = async (): Promise<readonly string[]> =>
  (await cluster.until(other.children(path))).children

it('acts while it holds the latch, by a node that stands in its line, and lets go of it', async () => {
  let held: string | undefined
  const isDone = await cluster.until(
    inLatch(session, path, async (node) => {
      held = node
      expect((await other.children(path)).children).toEqual([node.slice(path.length + 1)])
    }),
  )
  expect(isDone).toBe(true)
  expect(held).toBeDefined()
  expect(await line()).toEqual([])
})

it('waits behind whoever holds it, and goes on when it is free', async () => {
  const latch = new LeaderLatch(other, path)
  await cluster.until(latch.start())
  const order: string[] = []
  const acting = inLatch(session, path, async () => void order.push('acted'))
  await cluster.advance(1_000)
  expect(order).toEqual([])
  order.push('freed')
  await cluster.until(latch.stop())
  expect(await cluster.until(acting)).toBe(true)
  expect(order).toEqual(['freed', 'acted'])
})

it('does nothing if it is not free in time, and leaves the line', async () => {
  const latch = new LeaderLatch(other, path)
  await cluster.until(latch.start())
  const isDone = await cluster.until(
    inLatch(session, path, async () => {
      throw new Error('it is not ours')
    }),
  )
  expect(isDone).toBe(false)
  expect(await line()).toHaveLength(1)
  await cluster.until(latch.stop())
})

it('leaves the line also when what it did has failed', async () => {
  const failing = inLatch(session, path, async () => {
    throw new Error('failed')
  })
  await expect(cluster.until(failing)).rejects.toThrow('failed')
  expect(await line()).toEqual([])
})
