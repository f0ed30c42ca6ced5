/**
 * A job that fails, and a webhook that receives the notifications: the first at once, the others together.
 *
 * The first failure is sent at once. Later failures are held back for a minute, or until the scheduler stops, and are
 * sent as one notification.
 *
 *   npm run example -- error-handlers
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { ElasticJob } from '@elasticjob/core'
import { errorHandlers } from '@elasticjob/error-handlers'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening } from './support/happening.ts'

interface Told {
  readonly count: number
  readonly text: string
}

const pager = createServer((request, response) => {
  void json(request).then((body) => {
    const { count, text } = body as Told
    console.log(`The webhook receives a notification of ${count}: ${text.split('\n')[0]}`)
    response.end()
  })
})
pager.listen(0, '127.0.0.1')
await once(pager, 'listening')
const { port } = pager.address() as AddressInfo

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({
  servers: server.connectString,
  namespace: 'examples',
  logger: false,
  // Set in the process and not in the registry, where every client could read the token.
  errorHandlers: errorHandlers({
    props: { 'webhook.url': `http://127.0.0.1:${port}/jobs`, 'webhook.token': 'letmein' },
  }),
})

let failures = 0
await jobs.schedule(
  {
    jobName: 'sync-orders',
    cron: '* * * * * ?',
    shardingTotalCount: 2,
    shardingItemParameters: { 0: 'books', 1: 'records' },
    jobErrorHandlerType: 'WEBHOOK',
    onError: ({ run }) => console.log(`Callback: shard ${run.shardingItem} failed`),
  },
  ({ shardingParameter }) => {
    throw new Error(`there is no shop called ${shardingParameter}`)
  },
)
await happening(jobs, 'run:recorded', () => (failures += 1) === 6)

await jobs.stop()
await server.stop()
pager.close()
