import { ConfigurationError } from '../errors.ts'
import { checkJob } from './check-job.ts'
import type { JobConfiguration, JobOptions } from './job-configuration.ts'

/** The complete configuration for the options of a job; throws all problems of the options. */
export function resolveJob(options: JobOptions): JobConfiguration {
  const { configuration, problems } = checkJob({ ...options })
  if (problems.length === 0) return configuration
  throw new ConfigurationError(`the job "${options.jobName}"`, problems)
}
