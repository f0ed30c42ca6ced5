/**
 * Records runs, their outcomes and their output in a SQLite file.
 *
 * No run waits for the history: it is written about every second, and when the scheduler stops.
 *
 *   npm run example -- history
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ElasticJob } from '@elasticjob/core'
import { openHistory, startTracing } from '@elasticjob/tracing'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

const directory = await mkdtemp(join(tmpdir(), 'elasticjob-example-'))
const url = `sqlite:${join(directory, 'history.db')}`
const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({
  servers: server.connectString,
  namespace: 'examples',
  logger: false,
})

// Before jobs are scheduled: it does not know earlier runs.
startTracing(jobs, { url })

let ended = 0
await jobs.schedule(
  {
    jobName: 'count-stock',
    cron: '* * * * * ?',
    shardingTotalCount: 2,
    shardingItemParameters: { 0: 'books', 1: 'records' },
    jobErrorHandlerType: 'IGNORE',
  },
  ({ shardingParameter, logger }) => {
    logger.info(`counting ${shardingParameter}`)
    if (shardingParameter === 'records') throw new Error('the records are locked away')
  },
)
await happening(jobs, 'run:completed', () => ++ended === 4)
await jobs.stop()

const history = await openHistory({ url })
const { rows } = await history.executions({ jobName: 'count-stock' })
for (const { id, shardingItem, outcome, duration, failureCause } of rows) {
  const { chunks } = await history.log(id)
  console.log(`shard ${shardingItem}: ${outcome} after ${duration} ms, "${chunks[0]?.text}"`)
  if (failureCause !== undefined) console.log(`  ${failureCause.split('\n')[0]}`)
}
const failed = await history.executions({ outcomes: ['failure'] })
if (rows.length < 4 || failed.rows.length < 2)
  throw new Error('the history has fewer runs than expected')

await history.close()
await server.stop()
await rm(directory, { recursive: true })
