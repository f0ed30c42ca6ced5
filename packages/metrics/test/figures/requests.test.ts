import { type Clock, ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'
import { expect, it } from 'vitest'

import { systemClock } from '../../src/clock.ts'
import { followRequests } from '../../src/figures/requests.ts'
import type { Change } from '../../src/figures/series.ts'

it('requests of every client are told with how long they took, and with their errors', async () => {
  const server = await startServer({ port: 0 })
  const client = await ZooKeeper.connect({ servers: server.connectString })
  let time = 0
  // Every look at the clock is 5 ms after the one before.
  const clock: Clock = { ...systemClock, monotonic: () => (time += 5) }
  const changes: Change[] = []
  const ignore = followRequests(clock, (some) => changes.push(...some))
  await client.create('/one', '')
  await client.get('/two').catch(() => {})
  ignore()
  await client.get('/one')
  expect(changes).toEqual([
    { figure: 'zookeeper.request.duration', labels: { operation: 'create' }, value: 0.005 },
    { figure: 'zookeeper.request.duration', labels: { operation: 'get' }, value: 0.005 },
    {
      figure: 'zookeeper.request.errors',
      labels: { operation: 'get', code: 'ZK_NO_NODE' },
      amount: 1,
    },
  ])
  await client.close()
  await server.close()
})
