import { ConfigurationError } from '../errors.ts'
import { checkJob } from './check-job.ts'
import type { JobConfiguration, JobOptions } from './job-configuration.ts'

/** The whole configuration of a job as its author describes it; throws all that is wrong with it. */
export function resolveJob(options: JobOptions): JobConfiguration {
  const { configuration, problems } = checkJob({ ...options })
  if (problems.length === 0) return configuration
  throw new ConfigurationError(`the job "${options.jobName}"`, problems)
}
