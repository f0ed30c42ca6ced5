import { ConfigurationError, ElasticJobError, isElasticJobError, type Problem } from '../errors.ts'
import { message } from '../message.ts'
import { checkJob } from './check-job.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { toWritable } from './job-yaml.ts'
import { isLegacyJson } from './legacy-json.ts'
import { olderPoolKey, readJob } from './read-job.ts'
import { changeEntry, removeEntry } from './snake-yaml/change-entry.ts'
import { YamlProblem } from './snake-yaml/document.ts'

/** Some values of a configuration. One that is there and undefined takes its key out. */
export type JobChanges = Partial<Omit<JobConfiguration, 'jobName'>>

/**
 * A stored configuration with some values changed and everything else as it was, byte for byte: keys
 * and tags of others, comments, the order. Values that no instance could act upon are refused here:
 * once stored, they would keep every instance from starting again.
 * @param source where the text comes from, for the message if it cannot be changed
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
  // Perhaps only a value that is changed here keeps it from being read.
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

/** The configuration, or why it cannot be read. */
function storedIn(text: string, source: string): JobConfiguration | ElasticJobError {
  try {
    return readJob(text, source).configuration
  } catch (error) {
    if (isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')) return error
    throw error
  }
}

/** Of a job that cannot be read, the changes alone are judged. */
const anyJob = { jobName: 'job', shardingTotalCount: 1 }

/** What is stored already is not judged again, unless a change has to go together with it. */
function problemsOf(stored: JobConfiguration | undefined, changes: JobChanges): readonly Problem[] {
  if (stored === undefined) return checkJob({ ...anyJob, ...changes }).problems
  const { jobName, shardingTotalCount, failover, monitorExecution } = stored
  const together =
    'failover' in changes || 'monitorExecution' in changes ? { failover, monitorExecution } : {}
  return checkJob({ jobName, shardingTotalCount, ...together, ...changes }).problems
}
