/** Distributed scheduled jobs: sharded, elastic, over ZooKeeper. */
export { type Clock, systemClock, type Timer } from './clock.ts'
export { type JobConfiguration, jobDefaults, type JobOptions } from './config/job-configuration.ts'
export { type DumpOptions, dumpDefaults } from './config/dump-options.ts'
export {
  type ElasticJobFile,
  type FileJob,
  type FileOptions,
  type ModuleReference,
  readElasticJobFile,
} from './config/elasticjob-file.ts'
export {
  maskConfiguration,
  maskTree,
  maskYaml,
  restoreSecrets,
} from './config/mask-configuration.ts'
export type { CatchUpOptions, Duration, RetryOptions, RunOptions } from './config/run-options.ts'
export type { JobChanges } from './config/update-job.ts'
export { readJob as readStoredJob } from './config/read-job.ts'
export { registryDefaults, type RegistryOptions } from './config/registry-options.ts'
export type { StoredJob } from './config/stored-job.ts'
export { type Extension, readExtension } from './config/extension.ts'
export { Cron, type CronOptions, parseCron } from './cron/cron.ts'
export { CronError, type CronFieldName } from './cron/cron-error.ts'
export { isJavaTimeZone } from './cron/zone-names.ts'
export type { DumpJobOptions } from './legacy/dump/dump-job.ts'
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
  problem,
} from './errors.ts'
export type {
  CrashedRun,
  ElasticJobEvents,
  LogLevel,
  BarrierPhase,
  BarrierReference,
  RunOutcome,
  RunReference,
  RunSource,
  TakenOverRun,
} from './events.ts'
export type { ManualRun } from './job-tree/job-state.ts'
export type { MultiShardingContext, RunControl, ShardingContext } from './job-types/context.ts'
export type { Dataflow, ThroughputDataflow } from './job-types/dataflow/dataflow.ts'
export { HttpError } from './job-types/http/http-error.ts'
export { ScriptError } from './job-types/script/script-error.ts'
export { type JobListener, listenerDefaults } from './job-types/job-listener.ts'
export type { ShardRunner, InstanceRunner, JobType, Runner } from './job-types/job-type.ts'
export type { JobBody, TypedJob } from './job-types/job-types.ts'
export { allShards, type MultiShardJob } from './job-types/multi-shard.ts'
export type { StandardSchema } from './job-types/parameter.ts'
export type { SimpleJob } from './job-types/simple.ts'
export { inWorker, type InWorkerOptions } from './job-types/worker.ts'
export { type Logger, maskedLogger } from './logger.ts'
export type { DepartureOptions, DepartureProgress } from './operations/departure.ts'
export type {
  ConfigurationChange,
  ConfigurationPreview,
  ConfigurationUpdate,
  InstanceSummary,
  JobDetail,
  JobInstance,
  JobManualRuns,
  JobServer,
  JobSummary,
  ServerDetail,
  ServerJob,
  ServerSummary,
  ShardDetail,
  ShardRun,
  StoredConfiguration,
  StoredText,
} from './operations/details.ts'
export { findingOfConnection } from './operations/diagnosis/absence.ts'
export type { Diagnosis } from './operations/diagnosis/diagnose.ts'
export { type Cause, causes, type Finding, type Severity } from './operations/diagnosis/finding.ts'
export type { FollowedNamespace, NamespaceListener } from './operations/follow-namespace.ts'
export type { JobStatus, LegacyJobStatus } from './operations/job-status.ts'
export type { Namespaces } from './operations/namespaces.ts'
export { Operations, type OperationsOptions } from './operations/operations.ts'
export type { RepairOptions } from './operations/repair.ts'
export type {
  Action,
  Effect,
  Omission,
  OperationResult,
  Scope,
  Target,
} from './operations/result.ts'
export type { ServerStatus } from './operations/server-status.ts'
export type { LegacyShardStatus, ShardPhase, ShardStatus } from './operations/shard-status.ts'
export type { TriggerResult } from './operations/trigger.ts'
export type { TriggerRequest } from './operations/trigger-plan.ts'
export { type Random, systemRandom } from './random.ts'
export type { Environment } from './registry/connect.ts'
export type { ImportOptions, ImportResult, LegacyJob } from './operations/import-legacy.ts'
export type { ConfigurationForm } from './operations/import-plan.ts'
export { problemOfPath } from './node-path.ts'
export { type PreloadResult, preloadRegistry } from './legacy/preload.ts'
export {
  errorCodes as registryErrorCodes,
  isRegistryError,
  RegistryError,
  type RegistryErrorCode,
} from './registry/registry-error.ts'
export { elasticJobDefaults, type ElasticJobOptions } from './scheduler/elastic-job-options.ts'
export { ElasticJob } from './scheduler/elastic-job.ts'
export { Job, type RunRequest } from './scheduler/job.ts'
export type { RunEnd, RunInterceptor } from './scheduler/run-interceptor.ts'
export type { ScheduleOptions } from './scheduler/schedule-options.ts'
export type { JobRuntimeStatus, SessionStatus, ProcessStatus } from './scheduler/process-status.ts'
export { type FileCompanions, runElasticJobFile } from './scheduler/run-file.ts'
export { message, type Message, type MessageValue } from './message.ts'
export { isSecretKey, maskText, maskTexts, secretMask } from './secrets.ts'
export type { ShardingStrategy } from './sharding/strategies/strategy.ts'
export type { Counts, Tally } from './legacy/statistics/counts.ts'
export {
  type InstanceStatistics,
  type ServerStatistics,
  statisticsByServer,
} from './legacy/statistics/read-statistics.ts'
export { detailsOf, messageOf, stackOf, summaryOf, type ThrownDetails } from './thrown.ts'
export type { ManualRunRequest } from './trigger/plan.ts'
