/** Figures of a process that runs jobs, for Prometheus. */
import type { ElasticJob, Logger } from '@elasticjob/core'
import type { TracingSource } from '@elasticjob/metrics'

import { CommandError } from '../errors.ts'

/** What says that there are figures, and where. */
export interface MetricsWish {
  /** What a file says of them. */
  readonly section: Readonly<Record<string, string>> | undefined
  /** The port that an option says, which goes before that of the file. */
  readonly port: number | undefined
  /**
   * How many processes of the same file are on this machine already: each takes the port after the one before.
   * @default 0
   */
  readonly processesBefore?: number
}

/** Shows the figures of the scheduler at a port of the loopback for as long as it runs, if anybody wants them. */
export async function exposeMetrics(
  jobs: ElasticJob,
  { section, port: said, processesBefore = 0 }: MetricsWish,
  tracing: TracingSource | undefined,
  logger: Logger | false,
): Promise<void> {
  if (section === undefined && said === undefined) return
  // Loaded here: who shows no figures needs none of it.
  const { listenDefaults, MetricsError, metricsOptionsOf, PrometheusExporter } =
    await import('@elasticjob/metrics')
  const { figures, listen } = metricsOptionsOf(section ?? {})
  const { port: first = listenDefaults.port } = listen
  const port = said ?? (first === 0 ? 0 : first + processesBefore)
  const metrics = await PrometheusExporter.create({ ...figures, tracing })
  metrics.follow(jobs)
  try {
    const { url } = await metrics.listen({ ...listen, port })
    if (logger !== false) logger.info(`Figures for Prometheus are at ${url}`)
  } catch (error) {
    await metrics.stop()
    if (!(error instanceof MetricsError)) throw error
    const where = said === undefined ? 'metrics.port' : '--metrics-port'
    throw new CommandError('CLI_FAILED', `${where}: ${error.message}`, error)
  }
}
