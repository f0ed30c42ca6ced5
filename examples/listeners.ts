/**
 * Listeners: around the shards of each instance, and once around the shards of all instances.
 *
 * Three instances share six shards. Before the first shard starts, one instance clears the table; after the last
 * shard
 * has ended, one instance sends the report.
 *
 *   npm run example -- listeners
 */
import { ElasticJob, type JobListener } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

const server = await startServer({ port: 0 })
let sent: () => void
const report = new Promise<void>((resolve) => {
  sent = resolve
})

const instances = await Promise.all(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map(join))
await Promise.all(instances.map(({ resharded }) => resharded))
console.log('Each of three instances owns two shards; now the job is triggered.')
await instances[0]?.job.trigger()
await report

await Promise.all(instances.map(({ jobs }) => jobs.stop()))
await server.stop()

function listenerOf(ip: string): JobListener {
  const say = (text: string): void => console.log(`${ip} ${text}`)
  return {
    type: 'REPORT',
    beforeLastStarted: () => say('clears the table, for all'),
    beforeJobExecuted: ({ shardingItems }) => say(`is about to run ${shardingItems.length} shards`),
    afterJobExecuted: ({ shardingItems }) => say(`has run ${shardingItems.length} shards`),
    afterLastCompleted: () => {
      say('sends the report, for all')
      sent()
    },
  }
}

async function join(ip: string) {
  const jobs = await ElasticJob.connect({
    servers: server.connectString,
    namespace: 'examples',
    ip,
    listeners: [listenerOf(ip)],
    logger: false,
  })
  const resharded = happening(jobs, 'shards:owned', ({ shards }) => shards.length === 2)
  const job = await jobs.schedule(
    { jobName: 'daily-report', shardingTotalCount: 6, jobListenerTypes: ['REPORT'] },
    ({ shardingItem }) => console.log(`${ip} runs shard ${shardingItem}`),
  )
  return { jobs, job, resharded }
}
