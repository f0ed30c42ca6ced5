/**
 * A job without a schedule, which runs when it is triggered, with a parameter.
 *
 * It is triggered twice; the second manual run waits until the first is complete.
 *
 *   npm run example -- one-off
 */
import { ElasticJob } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({ servers: server.connectString, namespace: 'examples' })

const job = await jobs.schedule(
  { jobName: 'rebuild-index', shardingTotalCount: 3 },
  ({ jobParameter, shardingItem }) => {
    console.log(`shard ${shardingItem} rebuilds its part of the ${jobParameter}`)
  },
)
jobs.on('trigger:completed', ({ manualRun: round }) =>
  console.log(`manual run ${round} is complete`),
)

const products = await job.trigger({ parameter: 'products' })
const customers = await job.trigger({ parameter: 'customers' })
console.log(`manual runs ${products.id} and ${customers.id} are accepted`)
await happening(jobs, 'trigger:completed', ({ manualRun: round }) => round === customers.id)

await jobs.stop()
await server.stop()
