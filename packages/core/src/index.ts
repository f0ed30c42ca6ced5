/** Distributed scheduled jobs: sharded, elastic, over ZooKeeper. */
export { type JobConfiguration, jobDefaults, type JobOptions } from './config/job-configuration.ts'
export {
  type ElasticJobFile,
  type FileJob,
  type FileOptions,
  type ModuleReference,
  readElasticJobFile,
} from './config/elasticjob-file.ts'
export { registryDefaults, type RegistryOptions } from './config/registry-options.ts'
export { Cron, type CronOptions, parseCron } from './cron/cron.ts'
export { CronError, type CronFieldName } from './cron/cron-error.ts'
export { isJavaTimeZone } from './cron/zone-names.ts'
export type { ErrorHandler, RunFailure } from './error-handlers/error-handler.ts'
export {
  ConfigurationError,
  ElasticJobError,
  type ElasticJobErrorCode,
  errorCodes,
  isElasticJobError,
  type Problem,
} from './errors.ts'
export type { CrashedRun, ElasticJobEvents, RunOutcome, RunReference, RunSource } from './events.ts'
export type { Round } from './job-tree/job-word.ts'
export type { MultiShardingContext, RunControl, ShardingContext } from './job-types/context.ts'
export type { Dataflow, ThroughputDataflow } from './job-types/dataflow/dataflow.ts'
export { HttpError } from './job-types/http/http-error.ts'
export { ScriptError } from './job-types/script/script-error.ts'
export type { JobListener } from './job-types/job-listener.ts'
export type { ItemRunner, InstanceRunner, JobType, Runner } from './job-types/job-type.ts'
export type { JobBody, TypedJob } from './job-types/job-types.ts'
export { allItems, type MultiShardJob } from './job-types/multi-shard.ts'
export type { SimpleJob } from './job-types/simple.ts'
export { inWorker, type InWorkerOptions } from './job-types/worker.ts'
export type { Logger } from './logger.ts'
export type { Environment } from './registry/connect.ts'
export { ElasticJob, elasticJobDefaults, type ElasticJobOptions } from './scheduler/elastic-job.ts'
export { Job } from './scheduler/job.ts'
export { runElasticJobFile } from './scheduler/run-file.ts'
export type { ShardingStrategy } from './sharding/strategies/strategy.ts'
export type { RoundRequest } from './trigger/plan.ts'
