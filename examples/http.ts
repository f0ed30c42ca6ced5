/**
 * A job that sends an HTTP request for each shard.
 *
 * The header `shardingContext` has the context. A status of 400 or more is a failure.
 *
 *   npm run example -- http
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { ElasticJob } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { runs } from './support/happening.ts'

const shop = createServer((request, response) => {
  const { shardingItem, shardingParameter } = JSON.parse(
    String(request.headers['shardingcontext']),
  ) as { shardingItem: number; shardingParameter: string }
  console.log(`${request.method} ${request.url} for shard ${shardingItem}, ${shardingParameter}`)
  response.end('done')
})
shop.listen(0, '127.0.0.1')
await once(shop, 'listening')
const { port } = shop.address() as AddressInfo

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({ servers: server.connectString, namespace: 'examples' })

await jobs.schedule(
  {
    jobName: 'refresh-prices',
    cron: '* * * * * ?',
    shardingTotalCount: 2,
    shardingItemParameters: { 0: 'books', 1: 'records' },
    props: {
      'http.uri': `http://127.0.0.1:${port}/prices/refresh`,
      'http.method': 'POST',
      'http.data': 'currency=EUR',
    },
  },
  { type: 'HTTP' },
)
await runs(jobs, 4)

await jobs.stop()
await server.stop()
shop.close()
