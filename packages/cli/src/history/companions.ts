import { dirname } from 'node:path'

import type { ElasticJob, FileCompanions, Logger } from '@elasticjob/core'
import type { Tracing } from '@elasticjob/tracing'

import { companionSections } from '../registry/sections.ts'

/** Told when the registry is reached, with what records the jobs, if something does. */
export type Connected = (jobs: ElasticJob, tracing: Tracing | undefined) => Promise<void>

/**
 * What is done with an `elasticjob.yaml` beside running its jobs: they are recorded if it says so, and
 * then whoever else wants to know is told.
 */
export function companionsOf(
  path: string,
  logger: Logger | false,
  connected?: Connected,
): FileCompanions {
  return {
    sections: companionSections,
    async connected(jobs, { sections }) {
      const section = sections['tracing']
      const tracing =
        section === undefined ? undefined : await record(jobs, section, dirname(path), logger)
      await connected?.(jobs, tracing)
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
  return startTracing(jobs, { ...tracingOptionsOf(section, folder), logger })
}
