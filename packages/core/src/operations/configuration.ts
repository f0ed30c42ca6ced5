/** A job's stored configuration: read, and changed without touching what is not to change. */
import { part } from '@elasticjob/zookeeper'

import type { JobConfiguration } from '../config/job-configuration.ts'
import { mixedZoneProblems } from '../config/mixed-zone.ts'
import { monitoringProblemsOf } from '../config/monitoring.ts'
import { readJob } from '../config/read-job.ts'
import { runLimitsProblemsOf } from '../config/run-limits.ts'
import { type JobChanges, updateYaml } from '../config/update-job.ts'
import { ConfigurationError, ElasticJobError } from '../errors.ts'
import { isOutcomeUnknown } from '../registry/committer.ts'
import { say } from '../sentence.ts'
import { readOne } from './catalog.ts'
import type {
  ConfigurationChange,
  ConfigurationPreview,
  ConfigurationUpdate,
  StoredConfiguration,
} from './details.ts'
import { requireStaying } from './draft.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import type { JobSnapshot } from './snapshot.ts'
import { kindOf, storedIn } from './stored.ts'

export async function readConfiguration(
  registry: OperatorRegistry,
  jobName: string,
): Promise<StoredConfiguration> {
  const snapshot = await readOne(registry, jobName, 'brief')
  const { text, version, mtime } = requireConfiguration(snapshot)
  // A problem is better thrown than told: there is nothing else to answer.
  const { configuration } = readJob(text, snapshot.paths.config)
  const { warnings } = storedIn(snapshot)
  return { configuration, text, version, changed: new Date(mtime), warnings }
}

export interface UpdateOptions {
  /**
   * The version that the changes were made for; with another one stored meanwhile, nothing is changed.
   * @default whatever is stored
   */
  readonly version?: number | undefined
}

export function updateConfiguration(
  registry: OperatorRegistry,
  jobName: string,
  changes: JobChanges,
  { version: expected }: UpdateOptions,
): Promise<ConfigurationUpdate> {
  let uncertain: ConfigurationUpdate | undefined
  return registry.persist(say`the configuration of job ${jobName}`, async () => {
    const snapshot = await readOne(registry, jobName, 'brief')
    requireStaying(snapshot.view)
    const { text, ...update } = updateOf(snapshot, changes)
    if (update.changes.length === 0) return uncertain ?? update
    const { version } = requireConfiguration(snapshot)
    if (expected !== undefined && expected !== version) {
      throw overtaken(jobName, expected, version)
    }
    try {
      await registry.commit([part.set(snapshot.paths.config, text, version)])
    } catch (error) {
      if (isOutcomeUnknown(error)) uncertain = update
      throw error
    }
    return update
  })
}

export async function previewConfiguration(
  registry: OperatorRegistry,
  jobName: string,
  changes: JobChanges,
): Promise<ConfigurationPreview> {
  const snapshot = await readOne(registry, jobName, 'brief')
  requireStaying(snapshot.view)
  const before = requireConfiguration(snapshot)
  const { text: after, ...update } = updateOf(snapshot, changes)
  return { ...update, version: before.version, before: before.text, after }
}

function updateOf(
  snapshot: JobSnapshot,
  changes: JobChanges,
): ConfigurationUpdate & { readonly text: string } {
  const { view, paths } = snapshot
  const stored = requireConfiguration(snapshot)
  const problems = [
    ...(kindOf(view) === 'ours' ? [] : mixedZoneProblems(changes.timeZone)),
    ...runLimitsProblemsOf(changes.props ?? {}),
    ...monitoringProblemsOf(changes.props ?? {}),
  ]
  if (problems.length > 0)
    throw new ConfigurationError(say`the change of ${paths.config}`, problems)
  const text = updateYaml(stored.text, changes, paths.config)
  const before = readJob(stored.text, paths.config).configuration
  const after = readJob(text, paths.config).configuration
  const changed = changesBetween(before, after)
  return {
    jobName: view.jobName,
    changes: changed,
    configuration: after,
    version: stored.version + (changed.length === 0 ? 0 : 1),
    text,
  }
}

function changesBetween(before: JobConfiguration, after: JobConfiguration): ConfigurationChange[] {
  return (Object.keys(after) as (keyof JobConfiguration)[])
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, from: before[key], to: after[key] }))
}

function requireConfiguration(snapshot: JobSnapshot): NonNullable<JobSnapshot['view']['config']> {
  const { config, jobName } = snapshot.view
  if (config !== undefined) return config
  throw new ElasticJobError(
    'JOB_CONFIGURATION_UNREADABLE',
    say`job ${jobName} cannot be configured: ${storedIn(snapshot).problem ?? ''}`,
  )
}

function overtaken(jobName: string, expected: number, version: number): ElasticJobError {
  return new ElasticJobError(
    'JOB_CONFLICT',
    say`the configuration of job ${jobName} was changed by somebody else: it has version ${version}, and the change was made for version ${expected}; look at it again`,
  )
}
