/**
 * A job that starts a program for each shard.
 *
 * The program receives the context in its environment and as its last argument. Its output is logged; an exit code
 * other
 * than 0 is a failure.
 *
 *   npm run example -- script
 */
import { ElasticJob } from '@elasticjob/core'
import { startServer } from '@elasticjob/zookeeper-server'

import { runs } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({ servers: server.connectString, namespace: 'examples' })

await jobs.schedule(
  {
    jobName: 'tidy-up',
    cron: '* * * * * ?',
    shardingTotalCount: 2,
    shardingItemParameters: { 0: 'uploads', 1: 'thumbnails' },
    props: {
      'script.command.line': `sh -c 'echo "process $$ tidies $ELASTICJOB_SHARDING_PARAMETER: $0"'`,
      'script.timeout.milliseconds': 10_000,
    },
  },
  { type: 'SCRIPT' },
)
await runs(jobs, 4)

await jobs.stop()
await server.stop()
