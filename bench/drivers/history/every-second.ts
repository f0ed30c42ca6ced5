/**
 * `every-second <connect string> <namespace> <jobs> [url]`: so many jobs of one shard that all fire every second,
 * recorded in the database if there is one. For each line `{"seconds":n}` it measures so long, and says how late they
 * began; at `{"end":true}` it stops, and says what became of all that ran.
 */
import { createInterface } from 'node:readline'
import { setTimeout as pass } from 'node:timers/promises'

import { startTracing, type Tracing } from '@elasticjob/tracing'

import { connect } from '../fire/connect.ts'
import { cpuSecondsSince, percentile, preciseNow } from '../fire/figures.ts'
import { say } from '../say.ts'

/** Compilers and caches settle in these seconds. */
const warmup = 5

const [servers = '', namespace = '', jobCount = '1', url] = process.argv.slice(2)
const jobs = await connect(servers, namespace)
const tracing: Tracing | undefined =
  url === undefined
    ? undefined
    : startTracing(jobs, { url, logger: false, timeout: 5000, queueEntries: 5000 })
let lateness: number[] = []
let told = 0
const running = new Set<string>()
jobs.on('run:started', ({ runId, fireTime }) => {
  told += 1
  running.add(runId)
  lateness.push(preciseNow() - fireTime)
})
// One that never began is told of at its end alone.
jobs.on('run:completed', ({ runId }) => {
  if (!running.delete(runId)) told += 1
})
await Promise.all(
  Array.from({ length: Number(jobCount) }, (_, index) =>
    jobs.schedule(
      { jobName: `job-${index}`, cron: '* * * * * ?', shardingTotalCount: 1 },
      async ({ logger }) => logger.info('a line'),
    ),
  ),
)
await pass(warmup * 1000)
// Its tables are made by then: what is measured first is a history that is well.
await tracing?.flush(60_000)
say({ ready: true })
for await (const line of createInterface(process.stdin)) {
  const { seconds = 0, end } = JSON.parse(line) as { readonly seconds?: number; end?: true }
  if (end) break
  // In the middle between two fires, so that every second is measured as a whole.
  await pass(1500 - (preciseNow() % 1000))
  lateness = []
  const before = process.cpuUsage()
  await pass(seconds * 1000)
  const measured = lateness
  say({
    runs: measured.length,
    expected: Number(jobCount) * seconds,
    p50: percentile(measured, 0.5),
    p99: percentile(measured, 0.99),
    most: percentile(measured, 1),
    cpuPercent: (cpuSecondsSince(before) / seconds) * 100,
    megabytes: process.memoryUsage.rss() / 1e6,
    queued: tracing?.queued ?? 0,
    dropped: tracing?.dropped ?? 0,
  })
}
await jobs.stop()
const [metrics] = Object.values(tracing?.metrics ?? {})
say({ told, dropped: metrics?.dropped.executions ?? 0 })
