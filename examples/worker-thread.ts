/**
 * Heavy work in worker threads, one for each running shard.
 *
 * The event loop of the process stays free, so the session stays alive.
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
console.log(`the main thread ran ${turns} other tasks meanwhile`)
if (turns === 0) throw new Error('the main thread was blocked')

await jobs.stop()
await server.stop()
