import type { Clock } from '@elasticjob/core'
import { systemClock } from '@elasticjob/core/internal'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'
import { expect, it } from 'vitest'

import { followRequests } from '../../src/metrics/requests.ts'
import type { Change } from '../../src/metrics/series.ts'

it('followRequests reports duration and errors of the requests of every client', async () => {
  const server = await startServer({ port: 0 })
  const client = await ZooKeeper.connect({ servers: server.connectString })
  let time = 0
  // Every reading of the clock is 5 ms after the previous one.
  const clock: Clock = { ...systemClock, monotonic: () => (time += 5) }
  const changes: Change[] = []
  const ignore = followRequests(clock, (some) => changes.push(...some))
  await client.create('/one', '')
  await client.get('/two').catch(() => {})
  ignore()
  await client.get('/one')
  expect(changes).toEqual([
    { metric: 'zookeeper.request.duration', labels: { operation: 'create' }, value: 0.005 },
    { metric: 'zookeeper.request.duration', labels: { operation: 'get' }, value: 0.005 },
    {
      metric: 'zookeeper.request.errors',
      labels: { operation: 'get', code: 'ZK_NO_NODE' },
      amount: 1,
    },
  ])
  await client.close()
  await server.stop()
})
