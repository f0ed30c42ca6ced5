import type { JobConfiguration } from './job-configuration.ts'

/** Distributes jobs with few shards over the instances by the hash of the job name. Java supports it as well. */
const strategyOfNewJobs = 'ROUND_ROBIN'

/**
 * The configuration to store for a new job. A default strategy is stored explicitly, so that every instance uses it. An
 * existing job without a stored strategy has Java's default, AVG_ALLOCATION, which assigns all jobs with one shard to
 * the same instance.
 */
export function asNewJob(configuration: JobConfiguration): JobConfiguration {
  const { jobShardingStrategyType = strategyOfNewJobs } = configuration
  return { ...configuration, jobShardingStrategyType }
}
