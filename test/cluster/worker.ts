/** One instance of the fleet: takes part in the jobs, writes down what it runs, and stops on SIGTERM. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob, type ElasticJobEvents, type ShardingContext } from '@elasticjob/core'
import { readyLine } from './worker-lines.ts'
import { stallEvent, type WorkerOptions } from './worker-options.ts'
import { openLog, untilToldToJoin, watchForStalls } from './worker-side.ts'

/** Events that explain what the runs show, and those that should never come in a healthy fleet. */
const toldEvents = [
  'job:registered',
  'leader:elected',
  'leader:abdicated',
  'sharding:changed',
  'sharding:failed',
  'claim:refused',
  'run:superseded',
  'run:orphaned',
  'fire:corrected',
  'registry:suspended',
  'registry:resumed',
  'registry:renewed',
  'lease:ended',
  'error:unhandled',
] as const satisfies readonly (keyof ElasticJobEvents)[]

/** From when on it is written down that it was kept from running, in milliseconds. */
const longStall = 200

/** Bodies of different lengths, so that some run while others are claimed and moved. */
const longestBody = 100

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions
const writeLine = openLog(options.logFile)

async function body(context: ShardingContext): Promise<void> {
  const { jobName, shardingItem, fireTime, taskId, runId, source } = context
  const start = Date.now()
  await sleep((shardingItem * 37) % longestBody)
  writeLine({
    job: jobName,
    shard: shardingItem,
    fireTime: fireTime.getTime(),
    start,
    end: Date.now(),
    instance: taskId.split('@-@').slice(-2).join('@-@'),
    runId,
    source,
  })
}

const { servers, namespace, ip, worker } = options
await untilToldToJoin()
watchForStalls(Date.now, longStall, (at, late) =>
  writeLine({ event: stallEvent, at, worker, payload: { late } }),
)
const jobs = await ElasticJob.connect({ servers, namespace, ip, logger: false })
for (const event of toldEvents) {
  jobs.on(event, (payload: unknown) => writeLine({ event, at: Date.now(), worker, payload }))
}
let stopping = false
process.once('SIGTERM', () => {
  stopping = true
  void jobs.stop()
})
await Promise.all(
  options.jobs.map((job) => jobs.schedule({ ...job, cron: '0/1 * * * * ?' }, body)),
).catch((error: unknown) => {
  // Told to stop while it was still joining.
  if (!stopping) throw error
})
process.stdout.write(`${readyLine}\n`)
