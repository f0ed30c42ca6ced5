/**
 * Metrics for Prometheus: runs, their outcomes, and the state of the registry.
 *
 * A small server on the loopback serves them; a Prometheus would scrape it every few seconds.
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
// The default is 9464; 0 selects any free port.
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
console.log(`Some of the metrics at ${url}:`)
for (const line of page.split('\n').filter((one) => shown.test(one) && !one.endsWith(' 0'))) {
  console.log(`  ${line}`)
}

await metrics.stop()
await jobs.stop()
await server.stop()
