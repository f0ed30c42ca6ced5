import { dirname } from 'node:path'

import type { ElasticJob, FileCompanions, Logger } from '@elasticjob/core'
import type { Tracing } from '@elasticjob/tracing'

import { exposeMetrics } from '../metrics/expose.ts'
import { companionSections } from '../registry/sections.ts'
import { usualHistory } from './resolve.ts'

export interface CompanionOptions {
  readonly logger: Logger | false
  /**
   * The history database of jobs whose file does not name one.
   * @default none
   */
  readonly history?: string
  /**
   * The metrics port, which overrides the file.
   * @default what the file says
   */
  readonly metricsPort?: number | undefined
  /**
   * The number of processes of the same file on this machine before this one.
   * @default 0
   */
  readonly processesBefore?: number
}

/** Records the jobs of an `elasticjob.yaml` and serves their metrics, if the file says so. */
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
  // Loaded lazily: not needed without recording.
  const { startTracing, tracingOptionsOf } = await import('@elasticjob/tracing')
  // Where queries look for it, whatever the working directory of this process.
  const url = usualHistory(folder)
  return startTracing(jobs, { url, ...tracingOptionsOf(section, folder), logger })
}
