import { describe, expect, inject, it } from 'vitest'
import { nodeZooKeeperClientAvailable } from './node-zookeeper-client.ts'
import { useNodeZooKeeperClient } from './node-zookeeper-client-program.ts'
import { onBothServers } from './servers.ts'

const isAvailable = inject('realZooKeeper') && nodeZooKeeperClientAvailable()

describe.skipIf(!isAvailable)('node-zookeeper-client', () => {
  it('sees the same as with ZooKeeper', async () => {
    const { zooKeeper, embedded } = await onBothServers(useNodeZooKeeperClient, {
      keepsData: true,
    })
    expect(embedded).toEqual(zooKeeper)
    expect(zooKeeper.length).toBeGreaterThan(40)
  })
})
