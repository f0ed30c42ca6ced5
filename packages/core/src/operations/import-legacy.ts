/** Imports jobs of Elastic-Job 1.x and 2.x into the current form. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { isLegacyFields } from '../config/legacy-fields.ts'
import { readTree } from '../legacy/dump/read-tree.ts'
import { ElasticJobError } from '../errors.ts'
import { readJobNames, readOne } from './catalog.ts'
import { requireNotRemoving } from './action-plan.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { part } from '../registry/transaction.ts'
import { message } from '../message.ts'
import {
  type ConfigurationForm,
  formOf,
  type ImportPlan,
  JobNodes,
  planImport,
} from './import-plan.ts'

/** The options of an import. */
export interface ImportOptions {
  /**
   * Whether to report the changes without making them.
   * @default false
   */
  readonly dryRun?: boolean | undefined
  /**
   * Whether to remove the nodes that only 1.x uses.
   * @default false
   */
  readonly removeOldNodes?: boolean | undefined
}

/** The changes that an import has made, or would make. */
export interface ImportResult {
  readonly jobName: string
  /** The form of the stored configuration. */
  readonly form: ConfigurationForm
  readonly configuration: JobConfiguration
  /** The configuration in the registry after the import. */
  readonly yaml: string
  /** The class of the job in Java, or `SCRIPT`; empty if it is not stored. */
  readonly jobClass: string
  /** SIMPLE, DATAFLOW or SCRIPT, if an old configuration contains it. */
  readonly jobType: string | undefined
  /** Settings without a counterpart or with another meaning, and steps to do by hand. */
  readonly notes: readonly string[]
  /** Servers of 1.x and instances of 2.x that still take part. While there are any, nothing is written. */
  readonly living: readonly string[]
  /** Whether anything was written. */
  readonly written: boolean
  /** Nodes of 1.x that were removed, or would be. */
  readonly removed: readonly string[]
}

/** A job with data of an older version. */
export interface LegacyJob {
  readonly jobName: string
  /** The form of its configuration; `today` if it was imported and nodes of 1.x are left. */
  readonly form: ConfigurationForm
  /** Whether there are nodes that only 1.x uses. */
  readonly hasOldNodes: boolean
}

/** The number of nodes deleted in one transaction. */
const deletionsAtOnce = 500

/** The jobs whose configuration has the form of 1.x or 2.x, or that have nodes of 1.x. */
export async function listLegacyJobs(registry: OperatorRegistry): Promise<LegacyJob[]> {
  await registry.catchUp()
  const jobs = await Promise.all(
    (await readJobNames(registry)).map(async (jobName): Promise<LegacyJob> => {
      const { config } = registry.pathsOf(jobName)
      const [node, fields = []] = await Promise.all([
        registry.reader.get(config),
        registry.reader.children(config),
      ])
      return {
        jobName,
        form: formOf(node?.text ?? '', fields),
        hasOldNodes: isLegacyFields(fields),
      }
    }),
  )
  return jobs.filter(({ form, hasOldNodes }) => form !== 'today' || hasOldNodes)
}

/**
 * Converts the configuration of a job of 1.x or 2.x to the current form. Leaves a job alone that already has it.
 * Instances of the old version have to be stopped first: otherwise both versions would run the job.
 */
export async function importConfiguration(
  registry: OperatorRegistry,
  jobName: string,
  { dryRun = false, removeOldNodes = false }: ImportOptions,
): Promise<ImportResult> {
  const plan = dryRun
    ? await look(registry, jobName)
    : await write(registry, jobName, removeOldNodes)
  const removed = !removeOldNodes
    ? []
    : dryRun
      ? plan.oldNodes
      : await removeNodes(registry, jobName)
  const { form, configuration, yaml, rootText: jobClass, jobType, notes, living } = plan
  const written = !dryRun && plan.parts.length > 0
  return { jobName, form, configuration, yaml, jobClass, jobType, notes, living, written, removed }
}

async function look(registry: OperatorRegistry, jobName: string): Promise<ImportPlan> {
  const { view, paths } = await readOne(registry, jobName, 'brief')
  requireNotRemoving(view)
  const tree = await readTree(registry.readParts, paths.root)
  return planImport(jobName, new JobNodes(tree, paths))
}

/** Writes the configuration. Returns the plan that made the change, even if a retry finds nothing left to do. */
function write(
  registry: OperatorRegistry,
  jobName: string,
  removeOldNodes: boolean,
): Promise<ImportPlan> {
  return registry.carryOut(message('job-subject', { jobName }), async () => {
    const plan = await look(registry, jobName)
    requireStopped(jobName, plan, removeOldNodes)
    return { ...plan, operations: plan.parts }
  })
}

function requireStopped(
  jobName: string,
  { living, parts, oldNodes }: ImportPlan,
  removeOldNodes: boolean,
): void {
  const isAnythingToDo = parts.length > 0 || (removeOldNodes && oldNodes.length > 0)
  if (living.length === 0 || !isAnythingToDo) return
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `job ${jobName} still runs under an old version on ${living.join(', ')}; stop it there first, or both would run it`,
  )
}

/** Removes the old nodes in batches. After an interruption, the next attempt continues with the remaining nodes. */
function removeNodes(registry: OperatorRegistry, jobName: string): Promise<readonly string[]> {
  const removed = new Set<string>()
  return registry.persist(message('job-subject', { jobName }), async () => {
    const plan = await look(registry, jobName)
    requireStopped(jobName, plan, true)
    for (let start = 0; start < plan.oldNodes.length; start += deletionsAtOnce) {
      const some = plan.oldNodes.slice(start, start + deletionsAtOnce)
      for (const path of some) removed.add(path)
      await registry.commit(some.map((path) => part.delete(path)))
    }
    return [...removed]
  })
}
