/**
 * Changes the cron expression and the number of shards of a job while it runs.
 *
 * An operator edits the job's node `config`, which is YAML; every instance applies the change without a restart.
 *
 *   npm run example -- live-configuration
 */
import { ElasticJob } from '@elasticjob/core'
import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({ servers: server.connectString, namespace: 'examples' })

const job = await jobs.schedule(
  { jobName: 'send-mail', cron: '0 0 0 1 1 ?', shardingTotalCount: 2 },
  ({ shardingItem, shardingTotalCount, fireTime }) => {
    const time = fireTime.toLocaleTimeString()
    console.log(`${time} shard ${shardingItem} of ${shardingTotalCount} sends its mail`)
  },
)
console.log(`Next fire time: ${job.nextFireTime?.toDateString()}, which is too late`)

const operator = await ZooKeeper.connect({ servers: server.connectString })

const firstRun = happening(jobs, 'run:recorded')
await edit('cron', '0/1 * * * * ?')
await firstRun

const runOfFourth = happening(jobs, 'run:recorded', ({ shardingItem }) => shardingItem === 3)
await edit('shardingTotalCount', '4')
await runOfFourth

await operator.close()
await jobs.stop()
await server.stop()

async function edit(key: string, value: string): Promise<void> {
  const path = '/examples/send-mail/config'
  const { data, stat } = await operator.get(path)
  const line = new RegExp(`^${key}: .*$`, 'm')
  const text = toText(data).replace(line, `${key}: ${value}`)
  // With the version, so that a concurrent change is not overwritten.
  await operator.set(path, text, { version: stat.version })
}
