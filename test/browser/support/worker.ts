/** One process of the shop: takes part in its jobs, and records what it runs. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob, type ShardingContext } from '@elasticjob/core'
import { startTracing } from '@elasticjob/tracing'
import { joinLine, loadedLine, readyLine } from '../../cluster/worker-lines.ts'
import { type Conduct, shopJobs } from './shop.ts'

export interface ShopWorkerOptions {
  readonly servers: string
  readonly namespace: string
  readonly ip: string
  readonly history: string
}

const longRun = 600_000

/** Without the paths of this machine: pictures of the pages are kept. */
function bankIsAway(): Error {
  const error = new Error('the bank does not answer')
  error.stack = String(error)
  return error
}

const bodies: Readonly<Record<Conduct, (context: ShardingContext) => Promise<void>>> = {
  quick: async ({ logger, shardingItem }) => {
    logger.info(`shard ${shardingItem} is done`)
  },
  steady: async ({ logger, shardingItem, shardingParameter }) => {
    logger.info(`orders of ${shardingParameter}`)
    await sleep(400 + 250 * shardingItem)
    if (shardingItem === 2) logger.warn('two orders have no address')
    logger.info('written')
  },
  failing: async ({ logger, shardingItem }) => {
    logger.info('asking the bank')
    await sleep(150)
    if (shardingItem === 1) throw bankIsAway()
  },
  // Runs until it is stopped, so that there is always a log to follow.
  long: async ({ logger, signal }) => {
    const end = Date.now() + longRun
    for (let page = 1; Date.now() < end && !signal.aborted; page++) {
      logger.info(`page ${page} is indexed`)
      await sleep(500, undefined, { signal }).catch(() => undefined)
    }
  },
}

const options = JSON.parse(process.argv[2] ?? '') as ShopWorkerOptions
process.stdout.write(`${loadedLine}\n`)
const lines = createInterface({ input: process.stdin })
for (;;) {
  const [line] = (await once(lines, 'line')) as [string]
  if (line === joinLine) break
}
process.stdin.destroy()

const { servers, namespace, ip, history } = options
const jobs = await ElasticJob.connect({
  servers,
  namespace,
  ip,
  logger: false,
  // A killed process is to be missed soon: the tests wait for it.
  sessionTimeoutMilliseconds: 6100,
})
startTracing(jobs, { url: history, logger: false })
process.once('SIGTERM', () => void jobs.stop())
for (const { runAction, ...job } of shopJobs) await jobs.schedule(job, bodies[runAction])
process.stdout.write(`${readyLine}\n`)
