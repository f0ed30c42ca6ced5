/**
 * Fetches and processes data in three modes.
 *
 * By shard, until no data are left; with one fetch for all shards of the process, whose parts are processed
 * concurrently; and in order, one element after the other.
 *
 *   npm run example -- dataflow
 */
import { ElasticJob, type Job, type ThroughputDataflow } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({
  servers: server.connectString,
  namespace: 'examples',
  logger: false,
})

// The default: every shard fetches and processes its own data. With `streaming.process` its run continues, batch
// after batch, until a fetch returns nothing.
const letters = [
  ['a', 'b', 'c', 'd', 'e'],
  ['v', 'w', 'x'],
]
const streaming = await jobs.schedule(
  {
    jobName: 'streaming',
    shardingTotalCount: 2,
    props: { 'streaming.process': true, 'fetch.data.count': 2 },
  },
  {
    fetchData: ({ shardingItem, fetchDataCount }) =>
      letters[shardingItem]?.splice(0, fetchDataCount),
    processData: ({ shardingItem }, data) =>
      console.log(`  shard ${shardingItem}: ${data.join(' ')}`),
  },
)
console.log('streaming, two letters at a time:')
await runOnce(streaming)
if (letters.flat().length > 0) throw new Error('a streaming run ended before its data did')

// One fetch for all shards that start together here; its data are processed in three parts concurrently.
const numbers: ThroughputDataflow<number> = {
  fetchData: ({ shardingItems }) =>
    shardingItems.flatMap(({ shardingItem: n }) => [n, n + 2, n + 4]),
  processData: async (_context, data) => {
    console.log(`  began ${data.join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    console.log(`  ended ${data.join(' ')}`)
  },
}
const throughput = await jobs.schedule(
  {
    jobName: 'throughput',
    shardingTotalCount: 2,
    props: { 'dataflow.mode': 'THROUGHPUT', 'concurrent.data.process.thread.count': 3 },
  },
  numbers,
)
console.log('THROUGHPUT, the six numbers of two shards, in three concurrent parts:')
await runOnce(throughput)

// For data whose order matters: one element after the other. A generator fetches the data, which is another way to
// stream, and every element is processed by itself.
const sequence = await jobs.schedule(
  {
    jobName: 'sequence',
    shardingTotalCount: 2,
    props: { 'dataflow.mode': 'SEQUENCE', 'streaming.process': true },
  },
  {
    async *fetchData({ shardingItem }) {
      yield [`order ${shardingItem} is placed`, `order ${shardingItem} is paid`]
      yield [`order ${shardingItem} is sent`]
    },
    processItem: (_context, change) => console.log(`  ${change}`),
  },
)
console.log('SEQUENCE, the steps of two orders:')
await runOnce(sequence)

await jobs.stop()
await server.stop()

/** With a cron expression they would run by themselves; this example triggers each of them once. */
async function runOnce(job: Job): Promise<void> {
  const { id } = await job.trigger()
  await happening(jobs, 'trigger:completed', ({ jobName, manualRun: round }) => {
    return jobName === job.jobName && round === id
  })
}
