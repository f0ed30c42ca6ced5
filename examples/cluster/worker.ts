/**
 * One of the processes of `npm start`, and what a program of your own looks like: it connects,
 * schedules its jobs, and stops in good order when it gets a signal. All processes run the same code;
 * who runs which item is agreed upon in the registry.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { ElasticJob } from '@elasticjob/core'

import { sampleJob } from './job.ts'
import type { WorkerMessage } from './messages.ts'

const [servers] = process.argv.slice(2)
const jobs = await ElasticJob.connect({ servers, namespace: 'cluster', logger: false })

jobs.on('leader:elected', () => tell({ kind: 'leads' }))
jobs.on('run:recorded', ({ outcome, shardingItem: item, fireTime }) => {
  if (outcome === 'success') tell({ kind: 'ran', item, fireTime })
})
jobs.on('run:completed', ({ outcome, shardingItem: item, error }) => {
  if (outcome === 'failure') tell({ kind: 'failed', item, reason: String(error) })
})

await jobs.schedule(
  sampleJob,
  // Stands for some work, which ends early when the run is aborted.
  async ({ signal }) => sleep(100, undefined, { signal }),
)
tell({ kind: 'joined' })

// A SIGTERM lets what runs end, and then ends the process: that needs nothing here. This is for when
// the process that started this one is gone, and the embedded server with it.
process.once('disconnect', () => process.exit())

function tell(message: WorkerMessage): void {
  process.send?.(message)
}
