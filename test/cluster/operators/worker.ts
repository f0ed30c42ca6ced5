/** One process that takes part in its jobs whatever operators do: sent away, it comes back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob, isElasticJobError, type ShardingContext } from '@elasticjob/core'
import { readyLine } from '../worker-lines.ts'
import { openLog, untilToldToJoin } from '../worker-side.ts'
import type { InsistentOptions, LoggedRun } from './worker-options.ts'

const options = JSON.parse(process.argv[2] ?? '') as InsistentOptions
const write: (run: LoggedRun) => void = openLog(options.logFile)

/** How long it takes, and how long it waits before it comes back, in milliseconds. */
const work = 120
const absence = 50

async function body(context: ShardingContext): Promise<void> {
  const { jobName, shardingItem, fireTime, source, attempt, signal } = context
  write({ jobName, shardingItem, fireTime: Number(fireTime), source, attempt })
  await sleep(work, undefined, { signal })
}

await untilToldToJoin()
const { servers, namespace, ip } = options
const jobs = await ElasticJob.connect({ servers, namespace, ip, logger: false })
const stopping = new AbortController()
process.once('SIGTERM', () => {
  stopping.abort()
  void jobs.stop()
})

async function insist(jobName: string): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      await jobs.schedule({ jobName, cron: '0/1 * * * * ?', shardingTotalCount: 3 }, body)
      return
    } catch (error) {
      // It is being removed, or was so while we joined.
      const isRefused = isElasticJobError(error, 'JOB_REMOVED', 'JOB_ALREADY_SCHEDULED')
      if (!isRefused && !stopping.signal.aborted) throw error
      await sleep(absence)
    }
  }
}

jobs.on('job:stopped', ({ jobName }) => {
  void sleep(absence).then(() => insist(jobName))
})
await Promise.all(options.jobNames.map(insist))
process.stdout.write(`${readyLine}\n`)
