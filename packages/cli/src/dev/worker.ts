/**
 * A worker process of `elasticjob dev`. All workers run the same code; the registry decides which shard runs
 * where. On SIGTERM core waits for active runs and ends the process.
 */
import { ElasticJob, type ElasticJobOptions, runElasticJobFile } from '@elasticjob/core'
import { messageOf, summaryOf, systemClock } from '@elasticjob/core/internal'
import { errorHandlers } from '@elasticjob/error-handlers'
import { startTracing } from '@elasticjob/tracing'

import { companionsOf } from '../history/companions.ts'
import type { RunReport, WorkerMessage, WorkerTask } from './messages.ts'
import { scheduleSamples } from './sample-jobs.ts'

const { servers, namespace, ip, file, shop, history, number } = JSON.parse(
  process.argv[2] ?? '',
) as WorkerTask
// A crash should be detected soon: sessions are shorter here than in production.
const options: ElasticJobOptions = {
  // Overrides the registry of the file.
  servers,
  serverLists: undefined,
  digest: undefined,
  sasl: undefined,
  tls: undefined,
  namespace,
  ip,
  logger: false,
  errorHandlers: errorHandlers(),
  sessionTimeoutMilliseconds: 6000,
  serverTickTime: 1000,
  abortTime: 500,
}

// When the parent is gone, the embedded server is gone with it.
process.once('disconnect', () => process.exit())

try {
  const jobs =
    file === undefined
      ? await ElasticJob.connect(options)
      : await runElasticJobFile(
          file,
          options,
          companionsOf(file, { logger: false, history, processesBefore: number - 1 }),
        )
  jobs.on('run:recorded', ({ outcome, ...run }) => {
    if (outcome === 'success') tell({ kind: 'ran', run: reportOf(run) })
  })
  jobs.on('run:completed', ({ outcome, error, ...run }) => {
    if (outcome === 'failure')
      tell({ kind: 'failed', run: reportOf(run), reason: summaryOf(error) })
  })
  if (file === undefined) startTracing(jobs, { url: history, logger: false })
  if (file === undefined) await scheduleSamples(jobs, { shop, clock: systemClock })
  tell({ kind: 'joined' })
} catch (error) {
  process.exitCode = 1
  process.send?.({ kind: 'refused', reason: messageOf(error) }, () => process.exit())
}

function reportOf(run: {
  readonly jobName: string
  readonly shardingItem: number
  readonly source: RunReport['source']
  readonly fireTime: number
}): RunReport {
  const { jobName, shardingItem: shard, source, fireTime } = run
  return { jobName, shard, source, fireTime }
}

function tell(message: WorkerMessage): void {
  // A closing parent does not listen any more; `disconnect` then ends this process.
  if (process.connected) process.send?.(message)
}
