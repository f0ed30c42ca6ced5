/** Distributed scheduled jobs: sharded, elastic, over ZooKeeper. */
export { type JobConfiguration, jobDefaults, type JobOptions } from './config/job-configuration.ts'
export { type DumpOptions, dumpDefaults } from './config/dump-options.ts'
export {
  type ElasticJobFile,
  type FileJob,
  type FileOptions,
  type ModuleReference,
  readElasticJobFile,
} from './config/elasticjob-file.ts'
export type { JobChanges } from './config/update-job.ts'
export { readJob as readStoredJob } from './config/read-job.ts'
export { registryDefaults, type RegistryOptions } from './config/registry-options.ts'
export type { StoredJob } from './config/stored-job.ts'
export { type Extension, readExtension } from './config/extension.ts'
export { Cron, type CronOptions, parseCron } from './cron/cron.ts'
export { CronError, type CronFieldName } from './cron/cron-error.ts'
export { isJavaTimeZone } from './cron/zone-names.ts'
export { dumpJob, type DumpJobOptions } from './dump/dump-job.ts'
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
  RoundPhase,
  RoundReference,
  RunOutcome,
  RunReference,
  RunSource,
  TakenOverRun,
} from './events.ts'
export type { Round } from './job-tree/job-word.ts'
export type { MultiShardingContext, RunControl, ShardingContext } from './job-types/context.ts'
export type { Dataflow, ThroughputDataflow } from './job-types/dataflow/dataflow.ts'
export { HttpError } from './job-types/http/http-error.ts'
export { ScriptError } from './job-types/script/script-error.ts'
export { type JobListener, listenerDefaults } from './job-types/job-listener.ts'
export type { ItemRunner, InstanceRunner, JobType, Runner } from './job-types/job-type.ts'
export type { JobBody, TypedJob } from './job-types/job-types.ts'
export { allItems, type MultiShardJob } from './job-types/multi-shard.ts'
export type { SimpleJob } from './job-types/simple.ts'
export { inWorker, type InWorkerOptions } from './job-types/worker.ts'
export type { Logger } from './logger.ts'
export type { DepartureOptions, DepartureProgress } from './operations/departure.ts'
export type {
  ConfigurationChange,
  ConfigurationPreview,
  ConfigurationUpdate,
  InstanceSummary,
  JobDetail,
  JobInstance,
  JobRounds,
  JobServer,
  JobSummary,
  ServerDetail,
  ServerJob,
  ServerSummary,
  ShardDetail,
  ShardRun,
  StoredConfiguration,
} from './operations/details.ts'
export { findingOfConnection } from './operations/diagnosis/absence.ts'
export type { Diagnosis } from './operations/diagnosis/diagnose.ts'
export { type Cause, causes, type Finding, type Severity } from './operations/diagnosis/finding.ts'
export type { FollowedNamespace, NamespaceListener } from './operations/follow-namespace.ts'
export type { JobStatus, LegacyJobStatus } from './operations/job-status.ts'
export type { Namespaces } from './operations/namespaces.ts'
export { Operations, type OperationsOptions } from './operations/operations.ts'
export type {
  Action,
  Effect,
  Omission,
  OperationResult,
  Scope,
  Target,
} from './operations/result.ts'
export type { ServerStatus } from './operations/server-status.ts'
export type { LegacyShardStatus, ShardState, ShardStatus } from './operations/shard-status.ts'
export type { TriggerResult } from './operations/trigger.ts'
export type { TriggerRequest } from './operations/trigger-plan.ts'
export type { Environment } from './registry/connect.ts'
export type { ImportOptions, ImportResult, LegacyJob } from './migration/import-legacy.ts'
export type { ConfigurationForm } from './migration/import-plan.ts'
export { type PreloadResult, preloadRegistry } from './registry/preload.ts'
export type { ReadParts } from './registry/read-nodes.ts'
export { ElasticJob, elasticJobDefaults, type ElasticJobOptions } from './scheduler/elastic-job.ts'
export { Job } from './scheduler/job.ts'
export type { RunEnd, RunInterceptor } from './scheduler/run-interceptor.ts'
export type { ScheduleOptions } from './scheduler/schedule-options.ts'
export type { JobStanding, SessionStanding, Standing } from './scheduler/standing.ts'
export { type FileCompanions, runElasticJobFile } from './scheduler/run-file.ts'
export { say, type Sentence, type SentenceValue } from './sentence.ts'
export type { ShardingStrategy } from './sharding/strategies/strategy.ts'
export type { Counts, Tally } from './statistics/counts.ts'
export {
  type InstanceStatistics,
  readStatistics,
  type ServerStatistics,
  statisticsByServer,
} from './statistics/read-statistics.ts'
export type { RoundRequest } from './trigger/plan.ts'
