/**
 * Figures for Prometheus: what ran, what came of it, and how the registry is.
 *
 * A small server on the loopback shows them; a Prometheus would ask it every few seconds.
 *
 *   npm run example -- metrics
 */
import { ElasticJob } from '@elasticjob/core'
import { PrometheusExporter } from '@elasticjob/metrics'
import { startServer } from '@elasticjob/zookeeper-server'

import { happening, runs } from './support/happening.ts'

const server = await startServer({ port: 0 })
const jobs = await ElasticJob.connect({
  servers: server.connectString,
  namespace: 'examples',
  logger: false,
})

const metrics = await PrometheusExporter.create()
metrics.follow(jobs)
// 9464 without an option; 0 takes one that is free.
const { url } = await metrics.listen({ port: 0 })

await jobs.schedule(
  { jobName: 'sync-orders', cron: '* * * * * ?', shardingTotalCount: 3 },
  () => {},
)
await jobs.schedule(
  {
    jobName: 'import-prices',
    cron: '* * * * * ?',
    shardingTotalCount: 1,
    jobErrorHandlerType: 'IGNORE',
  },
  () => {
    throw new Error('the prices are not there')
  },
)
await Promise.all([
  runs(jobs, 6),
  happening(jobs, 'run:recorded', ({ outcome }) => outcome === 'failure'),
])

const shown = /^elasticjob_(runs_total|job_leader|run_lateness_seconds_count|sessions)\{/
const page = await (await fetch(url)).text()
console.log(`${url} says, among much else:`)
for (const line of page.split('\n').filter((one) => shown.test(one) && !one.endsWith(' 0'))) {
  console.log(`  ${line}`)
}

await metrics.stop()
await jobs.stop()
await server.stop()
