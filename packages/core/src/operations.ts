/** Operations on the jobs of a namespace: the entry point for operator tools. */
export type { JobChanges } from './config/update-job.ts'
export type { Counts, Tally } from './legacy/statistics/counts.ts'
export {
  type InstanceStatistics,
  type ServerStatistics,
  statisticsByServer,
} from './legacy/statistics/read-statistics.ts'
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
export type { Diagnosis } from './operations/diagnosis/diagnose.ts'
export type { Cause, Finding, Severity } from './operations/diagnosis/finding.ts'
export type { FollowedNamespace, NamespaceListener } from './operations/follow-namespace.ts'
export type { ImportOptions, ImportResult, LegacyJob } from './operations/import-legacy.ts'
export type { ConfigurationForm } from './operations/import-plan.ts'
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
