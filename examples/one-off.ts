/**
 * A job that runs when it is told to, with a parameter for that time.
 *
 * It is told twice; the second round waits until the first is complete.
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
    console.log(`item ${shardingItem} rebuilds its part of the ${jobParameter}`)
  },
)
jobs.on('round:completed', ({ round }) => console.log(`round ${round} is complete`))

const products = await job.execute({ parameter: 'products' })
const customers = await job.execute({ parameter: 'customers' })
console.log(`rounds ${products.id} and ${customers.id} are accepted`)
await happening(jobs, 'round:completed', ({ round }) => round === customers.id)

await jobs.stop()
await server.close()
