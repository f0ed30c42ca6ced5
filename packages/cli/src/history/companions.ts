import { dirname } from 'node:path'

import type { ElasticJob, FileCompanions, Logger } from '@elasticjob/core'
import type { Tracing } from '@elasticjob/tracing'

import { exposeMetrics } from '../metrics/expose.ts'
import { companionSections } from '../registry/sections.ts'
import { usualHistory } from './resolve.ts'

export interface CompanionOptions {
  readonly logger: Logger | false
  /**
   * The database that jobs are recorded in whose file says nothing of it.
   * @default none
   */
  readonly history?: string
  /**
   * The port of the figures, whatever the file says.
   * @default what the file says
   */
  readonly metricsPort?: number | undefined
  /**
   * How many processes of the same file are on this machine already.
   * @default 0
   */
  readonly processesBefore?: number
}

/**
 * What is done with an `elasticjob.yaml` beside running its jobs: they are recorded and their figures are
 * shown, if it says so.
 */
export function companionsOf(path: string, options: CompanionOptions): FileCompanions {
  const { history, metricsPort: port, logger, ...rest } = options
  return {
    sections: companionSections,
    async connected(jobs, { sections }) {
      const section = sections['tracing'] ?? (history === undefined ? undefined : { url: history })
      const tracing =
        section === undefined ? undefined : await record(jobs, section, dirname(path), logger)
      await exposeMetrics(jobs, { section: sections['metrics'], port, ...rest }, tracing, logger)
    },
  }
}

async function record(
  jobs: ElasticJob,
  section: Readonly<Record<string, string>>,
  folder: string,
  logger: Logger | false,
): Promise<Tracing> {
  // Loaded here: who records nothing needs none of it.
  const { startTracing, tracingOptionsOf } = await import('@elasticjob/tracing')
  // Where commands that ask look for it, whatever directory this process was started in.
  const url = usualHistory(folder)
  return startTracing(jobs, { url, ...tracingOptionsOf(section, folder), logger })
}
