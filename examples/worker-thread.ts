/**
 * Heavy work in worker threads, one for each shard that runs.
 *
 * The process stays free meanwhile, and so keeps its session alive.
 *
 *   npm run example -- worker-thread
 */
import { ElasticJob, inWorker } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({ servers: server.connectString, namespace: 'examples' })

const job = await jobs.schedule(
  { jobName: 'count-primes', shardingTotalCount: 2 },
  inWorker(new URL('./worker-thread/primes.ts', import.meta.url)),
)

let turns = 0
const turning = setInterval(() => (turns += 1), 10)
await job.trigger()
await happening(jobs, 'trigger:completed')
clearInterval(turning)
console.log(`meanwhile the main thread had ${turns} turns for other things`)
if (turns === 0) throw new Error('the main thread was kept from everything else')

await jobs.stop()
await server.stop()
