import type { JobConfiguration } from './job-configuration.ts'

/** Spreads jobs of few shards over the instances by the hash of the job name, and Java knows it. */
const strategyOfNewJobs = 'ROUND_ROBIN'

/**
 * The configuration with which a job comes into being. A strategy that nothing names is stored, so that every
 * instance goes by it: without one in the registry, an existing job has Java's default, AVG_ALLOCATION, which
 * gives all jobs of one shard to the same instance.
 */
export function asNewJob(configuration: JobConfiguration): JobConfiguration {
  const { jobShardingStrategyType = strategyOfNewJobs } = configuration
  return { ...configuration, jobShardingStrategyType }
}
