/** Distributed scheduled jobs: sharded, elastic, over ZooKeeper. */
export type { Clock, Timer } from './clock.ts'
export { type DumpOptions, dumpDefaults } from './config/dump-options.ts'
export type { Duration } from './config/duration.ts'
export {
  type ElasticJobFile,
  type FileJob,
  type FileOptions,
  type ModuleReference,
  readElasticJobFile,
} from './config/elasticjob-file.ts'
export { type JobConfiguration, jobDefaults, type JobOptions } from './config/job-configuration.ts'
export { registryDefaults, type RegistryOptions } from './config/registry-options.ts'
export type { CatchUpOptions, RetryOptions, RunOptions } from './config/run-options.ts'
export type {
  ErrorContext,
  ErrorHandler,
  OnError,
  RunFailure,
} from './error-handlers/error-handler.ts'
export {
  ConfigurationError,
  ElasticJobError,
  type ElasticJobErrorCode,
  errorCodes,
  isElasticJobError,
  type Problem,
} from './errors.ts'
export type {
  BarrierPhase,
  BarrierReference,
  CrashedRun,
  ElasticJobEvents,
  LogLevel,
  RunOutcome,
  RunReference,
  RunSource,
  TakenOverRun,
} from './events.ts'
export type { ManualRun } from './job-tree/job-state.ts'
export type { MultiShardingContext, RunControl, ShardingContext } from './job-types/context.ts'
export type { Dataflow, ThroughputDataflow } from './job-types/dataflow/dataflow.ts'
export { HttpError } from './job-types/http/http-error.ts'
export { type JobListener, listenerDefaults } from './job-types/job-listener.ts'
export type { InstanceRunner, JobType, Runner, ShardRunner } from './job-types/job-type.ts'
export type { JobBody, TypedJob } from './job-types/job-types.ts'
export { allShards, type MultiShardJob } from './job-types/multi-shard.ts'
export type { StandardSchema } from './job-types/parameter.ts'
export { ScriptError } from './job-types/script/script-error.ts'
export type { SimpleJob } from './job-types/simple.ts'
export { inWorker, type InWorkerOptions } from './job-types/worker.ts'
export { type PreloadResult, preloadRegistry } from './legacy/preload.ts'
export type { Logger } from './logger.ts'
export type { Message, MessageValue } from './message.ts'
export type { Random } from './random.ts'
export type { Environment } from './registry/zookeeper/connect.ts'
export {
  errorCodes as registryErrorCodes,
  isRegistryError,
  RegistryError,
  type RegistryErrorCode,
} from './registry/registry-error.ts'
export { elasticJobDefaults, type ElasticJobOptions } from './scheduler/elastic-job-options.ts'
export { ElasticJob } from './scheduler/elastic-job.ts'
export { Job, type RunRequest } from './scheduler/job.ts'
export type { JobRuntimeStatus, ProcessStatus, SessionStatus } from './scheduler/process-status.ts'
export { type FileCompanions, runElasticJobFile } from './scheduler/run-file.ts'
export type { RunEnd, RunInterceptor } from './scheduler/run-interceptor.ts'
export type { ScheduleOptions } from './scheduler/schedule-options.ts'
export type { ShardingStrategy } from './sharding/strategies/strategy.ts'
