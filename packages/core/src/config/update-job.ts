import { ConfigurationError, ElasticJobError, isElasticJobError, type Problem } from '../errors.ts'
import { message } from '../message.ts'
import { checkJob } from './check-job.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { toWritable } from './job-yaml.ts'
import { isLegacyJson } from './legacy-json.ts'
import { olderPoolKey, readJob } from './read-job.ts'
import { changeEntry, removeEntry } from './snake-yaml/change-entry.ts'
import { YamlProblem } from './snake-yaml/document.ts'

/** Changed values of a configuration. A key with the value undefined is removed. */
export type JobChanges = Partial<Omit<JobConfiguration, 'jobName'>>

/**
 * Changes some values of a stored configuration and leaves the rest unchanged, byte for byte: unknown keys and tags,
 * comments, the order. Refuses values that no instance could use: once stored, they would keep every instance from
 * starting.
 * @param source the origin of the text, for the message if it cannot be changed
 */
export function updateYaml(text: string, changes: JobChanges, source: string): string {
  if (isLegacyJson(text)) {
    throw new ElasticJobError(
      'JOB_CONFIGURATION_UNREADABLE',
      message('configuration-legacy', { source }),
    )
  }
  const stored = storedIn(text, source)
  const problems = problemsOf(stored instanceof ElasticJobError ? undefined : stored, changes)
  if (problems.length > 0)
    throw new ConfigurationError(message('configuration-change-subject', { source }), problems)
  if (!(stored instanceof ElasticJobError)) return withChanges(text, changes)
  // The text may be unreadable only because of a value that this change replaces.
  try {
    const changed = withChanges(text, changes)
    readJob(changed, source)
    return changed
  } catch (error) {
    if (error instanceof YamlProblem) throw stored
    throw error
  }
}

function withChanges(text: string, changes: JobChanges): string {
  const hasOlderPool = new RegExp(`^${olderPoolKey}\\s*:`, 'm').test(text)
  let changed = text
  for (const key of Object.keys(changes) as (keyof JobChanges)[]) {
    const value = toWritable(changes, key)
    const isPool = key === 'jobExecutorThreadPoolSizeProviderType'
    const name = isPool && hasOlderPool ? olderPoolKey : key
    changed = value === undefined ? removeEntry(changed, name) : changeEntry(changed, name, value)
  }
  return changed
}

/** The configuration, or the error if it cannot be read. */
function storedIn(text: string, source: string): JobConfiguration | ElasticJobError {
  try {
    return readJob(text, source).configuration
  } catch (error) {
    if (isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')) return error
    throw error
  }
}

/** If the stored job cannot be read, only the changes are checked. */
const anyJob = { jobName: 'job', shardingTotalCount: 1 }

/** Stored values are not checked again, except in combination with a change. */
function problemsOf(stored: JobConfiguration | undefined, changes: JobChanges): readonly Problem[] {
  if (stored === undefined) return checkJob({ ...anyJob, ...changes }).problems
  const { jobName, shardingTotalCount, failover, monitorExecution } = stored
  const together =
    'failover' in changes || 'monitorExecution' in changes ? { failover, monitorExecution } : {}
  return checkJob({ jobName, shardingTotalCount, ...together, ...changes }).problems
}
