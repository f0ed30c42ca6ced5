import { ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { StatePaths } from '../../src/job-tree/paths.ts'
import { RegistrySession } from '../../src/registry/registry-session.ts'
import { RegistryTime } from '../../src/registry/registry-time.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { Machine } from '../support/machine.ts'
import { registryOn } from '../support/registry-on.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const day = 86_400_000

describe("the registry's time", () => {
  it('is known from the beginning, also if the local clock is set while the session is made', async () => {
    const nodes = new StatePaths('shop')
    const offsets = Array.from({ length: 30 }, (_, milliseconds) => milliseconds)
    for (const offset of offsets) {
      const machine = new Machine(cluster.clock, cluster.network.transport('10.0.1.1'))
      const { clock, transport } = machine
      const servers = cluster.server.connectString
      const client = await cluster.until(ZooKeeper.connect({ servers, clock, transport }))
      cluster.clock.setTimer(() => {
        machine.ahead = day
      }, offset)
      const time = new RegistryTime(clock)
      const opening = RegistrySession.open(registryOn(client), nodes, () => `i${offset}`, time)
      const session = await cluster.until(opening)
      await cluster.advance(100)
      expect(Math.abs(session.now() - cluster.clock.now())).toBeLessThan(100)
      await cluster.until(session.close())
    }
  })
})
