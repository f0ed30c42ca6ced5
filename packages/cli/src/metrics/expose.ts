/** Figures of a process that runs jobs, for Prometheus. */
import type { ElasticJob, Logger } from '@elasticjob/core'
import type { TracingSource } from '@elasticjob/metrics'

import { CommandError } from '../errors.ts'

/** Shows the figures of the scheduler at a port of the loopback for as long as it runs. */
export async function exposeMetrics(
  jobs: ElasticJob,
  port: number,
  tracing: TracingSource | undefined,
  logger: Logger | false,
): Promise<void> {
  // Loaded here: who shows no figures needs none of it.
  const { MetricsError, PrometheusExporter } = await import('@elasticjob/metrics')
  const metrics = await PrometheusExporter.create({ tracing })
  metrics.follow(jobs)
  try {
    const { url } = await metrics.listen({ port })
    if (logger !== false) logger.info(`Figures for Prometheus are at ${url}`)
  } catch (error) {
    await metrics.stop()
    if (!(error instanceof MetricsError)) throw error
    throw new CommandError('CLI_FAILED', `--metrics-port: ${error.message}`, error)
  }
}
