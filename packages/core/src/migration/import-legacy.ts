/** Jobs of Elastic-Job 1.x and 2.x taken over into today's form. */
import { isZooKeeperError, part, type TransactionPart, type ZooKeeper } from '@elasticjob/zookeeper'

import type { JobConfiguration } from '../config/job-configuration.ts'
import { readTree } from '../dump/read-tree.ts'
import { ElasticJobError } from '../errors.ts'
import { JobPaths, StatePaths } from '../job-tree/paths.ts'
import { type ConfigurationForm, type ImportPlan, JobNodes, planImport } from './import-plan.ts'

export interface ImportOptions {
  /**
   * Whether to say what would be done, and do nothing.
   * @default false
   */
  readonly dryRun?: boolean | undefined
  /**
   * Whether nodes that only 1.x has a use for are removed.
   * @default false
   */
  readonly removeOldNodes?: boolean | undefined
}

export interface ImportResult {
  readonly jobName: string
  /** The form in which the configuration was found. */
  readonly form: ConfigurationForm
  readonly configuration: JobConfiguration
  /** What the registry has as the job's configuration now, or would have. */
  readonly yaml: string
  /** The class that the job has in Java, or `SCRIPT`; empty if nothing says so. */
  readonly jobClass: string
  /** SIMPLE, DATAFLOW or SCRIPT, where an old configuration says so. */
  readonly jobType: string | undefined
  /** What has no counterpart, is read otherwise, or has to be done by hand. */
  readonly notes: readonly string[]
  /** Servers of 1.x and instances of 2.x that still take part; while there are any nothing is written. */
  readonly living: readonly string[]
  /** Whether something was written. */
  readonly written: boolean
  /** Nodes of 1.x that were removed, or would be. */
  readonly removed: readonly string[]
}

/** How many nodes are deleted in one transaction. */
const deletionsAtOnce = 500

/**
 * Writes the configuration of a job of 1.x or 2.x in today's form. One that has it already is left alone.
 * Instances of the old version have to be stopped before: two versions would both run the job.
 */
export async function importLegacyConfiguration(
  client: Pick<ZooKeeper, 'multi' | 'multiRead'>,
  namespace: string,
  jobName: string,
  { dryRun = false, removeOldNodes = false }: ImportOptions = {},
): Promise<ImportResult> {
  const paths = new JobPaths(namespace, new StatePaths(namespace), jobName)
  const tree = await readTree((parts) => client.multiRead(parts), paths.root)
  const plan = planImport(jobName, new JobNodes(tree, paths))
  const removed = removeOldNodes ? plan.oldNodes : []
  const written = !dryRun && plan.parts.length > 0
  if (!dryRun) {
    requireStopped(jobName, plan, removed)
    await commit(client, jobName, plan.parts)
    const deletions = removed.map((path) => part.delete(path))
    for (let start = 0; start < deletions.length; start += deletionsAtOnce) {
      await commit(client, jobName, deletions.slice(start, start + deletionsAtOnce))
    }
  }
  const { form, configuration, yaml, rootText: jobClass, jobType, notes, living } = plan
  return { jobName, form, configuration, yaml, jobClass, jobType, notes, living, written, removed }
}

function requireStopped(jobName: string, plan: ImportPlan, removed: readonly string[]): void {
  const { living, parts } = plan
  if (living.length === 0 || (parts.length === 0 && removed.length === 0)) return
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `job ${jobName} still runs under an old version on ${living.join(', ')}; stop it there first, or both would run it`,
  )
}

async function commit(
  client: Pick<ZooKeeper, 'multi'>,
  jobName: string,
  parts: readonly TransactionPart[],
): Promise<void> {
  if (parts.length === 0) return
  try {
    await client.multi(parts)
  } catch (error) {
    if (!isZooKeeperError(error, 'ZK_BAD_VERSION', 'ZK_NO_NODE', 'ZK_NOT_EMPTY')) throw error
    throw new ElasticJobError(
      'JOB_CONFLICT',
      `job ${jobName} was changed by somebody else while it was imported; try again`,
      error,
    )
  }
}
