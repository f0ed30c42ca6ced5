/**
 * A function that runs every second, once for each of three shards.
 *
 *   npm run example -- simple
 */
import { ElasticJob } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { runs } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({ servers: server.connectString, namespace: 'examples' })

await jobs.schedule(
  {
    jobName: 'count-stock',
    cron: '* * * * * ?',
    shardingTotalCount: 3,
    shardingItemParameters: { 0: 'Berlin', 1: 'Lima', 2: 'Osaka' },
  },
  ({ shardingItem, shardingParameter, fireTime }) => {
    console.log(`${fireTime.toISOString()} shard ${shardingItem} counts ${shardingParameter}`)
  },
)
await runs(jobs, 9)

await jobs.stop()
await server.stop()
