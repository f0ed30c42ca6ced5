/** Serves the metrics of a process that runs jobs. */
import type { ElasticJob, Logger } from '@elasticjob/core'
import type { TracingSource } from '@elasticjob/metrics'

import { CommandError } from '../errors.ts'

/** Whether and where to serve metrics. */
export interface MetricsWish {
  /** The section of a file. */
  readonly section: Readonly<Record<string, string>> | undefined
  /** The port of an option, which overrides the file. */
  readonly port: number | undefined
  /**
   * The number of processes of the same file on this machine before this one: each uses the port after the
   * previous one.
   * @default 0
   */
  readonly processesBefore?: number
}

/** Serves the scheduler's metrics on a loopback port while it runs, if configured. */
export async function exposeMetrics(
  jobs: ElasticJob,
  { section, port: given, processesBefore = 0 }: MetricsWish,
  tracing: TracingSource | undefined,
  logger: Logger | false,
): Promise<void> {
  if (section === undefined && given === undefined) return
  // Loaded lazily: not needed without metrics.
  const { listenDefaults, MetricsError, metricsOptionsOf, PrometheusExporter } =
    await import('@elasticjob/metrics')
  const { metrics: statistics, listen } = metricsOptionsOf(section ?? {})
  const { port: first = listenDefaults.port } = listen
  const port = given ?? (first === 0 ? 0 : first + processesBefore)
  const metrics = await PrometheusExporter.create({ ...statistics, tracing })
  metrics.follow(jobs)
  try {
    const { url } = await metrics.listen({ ...listen, port })
    if (logger !== false) logger.info(`Serving Prometheus metrics at ${url}`)
  } catch (error) {
    await metrics.stop()
    if (!(error instanceof MetricsError)) throw error
    const where = given === undefined ? 'metrics.port' : '--metrics-port'
    throw new CommandError('CLI_FAILED', `${where}: ${error.message}`, error)
  }
}
