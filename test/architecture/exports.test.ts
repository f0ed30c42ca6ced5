import { expect, test } from 'vitest'

import { readExports } from './read-exports.ts'
import { entryFilesOf, readManifests } from './repository.ts'

/** What users of core can import. A new name is a promise: review it as such. */
const reviewed = {
  index: `
    BarrierPhase BarrierReference CatchUpOptions Clock ConfigurationError CrashedRun Dataflow DumpOptions Duration
    ElasticJob ElasticJobError ElasticJobErrorCode ElasticJobEvents ElasticJobFile ElasticJobOptions Environment
    ErrorContext ErrorHandler FileCompanions FileJob FileOptions HttpError InWorkerOptions InstanceRunner Job JobBody
    JobConfiguration JobListener JobOptions JobRuntimeStatus JobType LogLevel Logger ManualRun Message MessageValue
    ModuleReference MultiShardJob MultiShardingContext OnError PreloadResult Problem ProcessStatus Random RegistryError
    RegistryErrorCode RegistryOptions RetryOptions RunControl RunEnd RunFailure RunInterceptor RunOptions RunOutcome
    RunReference RunRequest RunSource Runner ScheduleOptions ScriptError SessionStatus ShardRunner ShardingContext
    ShardingStrategy SimpleJob StandardSchema TakenOverRun ThroughputDataflow Timer TypedJob allShards dumpDefaults
    elasticJobDefaults errorCodes inWorker isElasticJobError isRegistryError jobDefaults listenerDefaults
    preloadRegistry readElasticJobFile registryDefaults registryErrorCodes runElasticJobFile`,
  operations: `
    Action Cause ConfigurationChange ConfigurationForm ConfigurationPreview ConfigurationUpdate Counts DepartureOptions
    DepartureProgress Diagnosis Effect Finding FollowedNamespace ImportOptions ImportResult InstanceStatistics
    InstanceSummary JobChanges JobDetail JobInstance JobManualRuns JobServer JobStatus JobSummary LegacyJob
    LegacyJobStatus LegacyShardStatus NamespaceListener Namespaces Omission OperationResult Operations
    OperationsOptions RepairOptions Scope ServerDetail ServerJob ServerStatistics ServerStatus ServerSummary Severity
    ShardDetail ShardPhase ShardRun ShardStatus StoredConfiguration StoredText Tally Target TriggerRequest
    TriggerResult statisticsByServer`,
  cron: `
    Cron CronError CronFieldName CronOptions isJavaTimeZone parseCron`,
  internal: `
    MessageFactory coreTexts detailsOf findingOfConnection maskConfiguration maskText maskTexts maskTree maskYaml
    maskedLogger messageFactory messageOf millisecondsOf problem problemOfPath readExtension readStoredJob restoreSecrets stackOf
    summaryOf systemClock systemRandom`,
}

test.for(Object.entries(reviewed))('core exports from %s exactly what was reviewed', (entry) => {
  const [name, names] = entry
  const exported = readExports(`packages/core/src/${name}.ts`).map((fact) => fact.name)
  expect(exported.toSorted()).toEqual(names.trim().split(/\s+/u))
})

test('every entry of core is reviewed', () => {
  const paths = Object.keys(reviewed).map((name) => `packages/core/src/${name}.ts`)
  expect([...entryFilesOf('core')]).toEqual(paths)
})

const entries = [...readManifests().keys()].flatMap((name) => [...entryFilesOf(name)])

test.for(entries)('every export of %s has a doc comment', (entry) => {
  const undocumented = readExports(entry).filter(({ hasDoc }) => !hasDoc)
  expect(undocumented.map(({ name, path }) => `${name} in ${path}`)).toEqual([])
})
