/** One worker that Prometheus scrapes: a real process with real jobs. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElasticJob, type JobOptions, type SimpleJob } from '@elasticjob/core'
import { PrometheusExporter } from '@elasticjob/metrics'
import { startTracing, type Tracing } from '@elasticjob/tracing'
import { joinLine, loadedLine, readyLine } from '../cluster/worker-lines.ts'
import { jobNames, type MonitoredWorkerOptions, recordLine } from './worker-options.ts'

const everySecond = { cron: '* * * * * ?', props: { 'fire.grace.milliseconds': '1000' } }

const jobsOfWorker: readonly [JobOptions, SimpleJob][] = [
  [{ jobName: jobNames.steady, shardingTotalCount: 6, ...everySecond }, () => {}],
  [
    { jobName: jobNames.flaky, shardingTotalCount: 1, ...everySecond },
    ({ jobParameter }) => {
      if (jobParameter === 'fail') throw new Error('no luck')
    },
  ],
  [
    {
      jobName: jobNames.slow,
      shardingTotalCount: 9,
      cron: '0/2 * * * * ?',
      jobExecutorThreadPoolSizeProviderType: 'SINGLE_THREAD',
    },
    ({ jobParameter }) => sleep(Number(jobParameter ?? 0)),
  ],
  [{ jobName: jobNames.deaf, shardingTotalCount: 1 }, () => sleep(7000)],
  [
    { jobName: jobNames.patient, shardingTotalCount: 1 },
    async ({ signal }) => {
      await once(signal, 'abort')
      throw signal.reason
    },
  ],
  [
    { jobName: jobNames.fragile, shardingTotalCount: 1, ...everySecond },
    ({ jobParameter, signal }) => sleep(Number(jobParameter ?? 0), undefined, { signal }),
  ],
]

const { port, ...registry } = JSON.parse(process.argv[2] ?? '') as MonitoredWorkerOptions
process.stdout.write(`${loadedLine}\n`)
const lines = createInterface({ input: process.stdin })
let connected: ElasticJob | undefined
let tracing: Tracing | undefined
lines.on('line', (line) => {
  if (line === recordLine) record()
  if (line === joinLine) void join()
})

/** Writes history to a database that is down, and keeps little of it in mind. */
function record(): void {
  if (connected === undefined) return
  const url = 'postgresql://nobody@127.0.0.1:9/history'
  tracing = startTracing(connected, { url, queueEntries: 5, logger: false })
}

async function join(): Promise<void> {
  const metrics = await PrometheusExporter.create({
    tracing: {
      get metrics() {
        return tracing?.metrics ?? {}
      },
    },
  })
  await metrics.listen({ port })
  connected = await ElasticJob.connect({
    ...registry,
    sessionTimeoutMilliseconds: 8000,
    serverTickTime: 1000,
    stopLimit: 0,
    logger: false,
  })
  const jobs = connected
  metrics.follow(jobs)
  await Promise.all(jobsOfWorker.map(([options, body]) => jobs.schedule(options, body)))
  process.stdout.write(`${readyLine}\n`)
}
