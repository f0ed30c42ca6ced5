/**
 * One of the processes of `elasticjob dev`. All of them run the same code; who runs which item is agreed
 * upon in the registry. A SIGTERM lets what runs end, and then ends the process: core does that.
 */
import { ElasticJob, type ElasticJobOptions, runElasticJobFile } from '@elasticjob/core'
import { errorHandlers } from '@elasticjob/error-handlers'
import { startTracing } from '@elasticjob/tracing'

import { systemClock } from '../clock.ts'
import { companionsOf } from '../history/companions.ts'
import type { RunReport, WorkerMessage, WorkerTask } from './messages.ts'
import { scheduleSamples } from './sample-jobs.ts'

const { servers, namespace, ip, file, shop, history, number } = JSON.parse(
  process.argv[2] ?? '',
) as WorkerTask
// A crash is to be seen soon: sessions are shorter here than they should be in earnest.
const options: ElasticJobOptions = {
  // Whatever registry a file names, this one is meant.
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

// When the process that started this one is gone, the embedded server is gone with it.
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
    if (outcome === 'failure') tell({ kind: 'failed', run: reportOf(run), reason: String(error) })
  })
  if (file === undefined) startTracing(jobs, { url: history, logger: false })
  if (file === undefined) await scheduleSamples(jobs, { shop, clock: systemClock })
  tell({ kind: 'joined' })
} catch (error) {
  process.exitCode = 1
  process.send?.(
    { kind: 'refused', reason: error instanceof Error ? error.message : String(error) },
    () => process.exit(),
  )
}

function reportOf(run: {
  readonly jobName: string
  readonly shardingItem: number
  readonly source: RunReport['source']
  readonly fireTime: number
}): RunReport {
  const { jobName, shardingItem: item, source, fireTime } = run
  return { jobName, item, source, fireTime }
}

function tell(message: WorkerMessage): void {
  // Nobody listens any more once the parent is going; `disconnect` then ends this process.
  if (process.connected) process.send?.(message)
}
