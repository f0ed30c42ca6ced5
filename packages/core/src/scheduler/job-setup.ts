/** Creates a job, or joins the existing one. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import { writeJob } from '../config/job-yaml.ts'
import { identityFields, identityOfFields, isLegacyFields } from '../config/legacy-fields.ts'
import { identityOfLegacyJson, isLegacyJson } from '../config/legacy-json.ts'
import { mixedZoneProblems } from '../config/mixed-zone.ts'
import { asNewJob } from '../config/new-job.ts'
import { readJob } from '../config/read-job.ts'
import { updateYaml } from '../config/update-job.ts'
import { ConfigurationError, ElasticJobError, isElasticJobError } from '../errors.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isMixed, type JobView } from '../job-tree/job-view.ts'
import { encodeJobState, noJobState } from '../job-tree/job-state.ts'
import { missingState } from '../job-tree/missing-state.ts'
import type { JobPaths } from '../job-tree/paths.ts'
import { scheduleDigest, timelineWithStored, timingOf } from '../job-tree/timeline.ts'
import { childrenIn } from '../registry/read-nodes.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { part, read, toText, type TransactionPart } from '../registry/transaction.ts'
import { type Creation, planCreation } from '../servers/plan.ts'
import {
  conflictOf,
  type DeclaredIdentity,
  identityTextOf,
  isNamedOnJoining,
  type StoredIdentity,
} from './job-identity.ts'
import type { JobContext } from './job-context.ts'
import { requireNoOldVersion } from './old-version.ts'

export interface JobDeclaration extends DeclaredIdentity {
  readonly configuration: JobConfiguration
}

/** How many lost races against other writers are retried before an error is thrown. */
const attempts = 10

/** Creates the job, overwrites its configuration, or leaves both unchanged. */
export async function setUpJob(host: JobContext, declaration: JobDeclaration): Promise<void> {
  let losses = 0
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await host.readable()
    try {
      await (host.replica.config === undefined
        ? create(host, declaration)
        : adopt(host, declaration))
      await host.readable()
      if (host.replica.config !== undefined) return
    } catch (error) {
      // Another instance sets up the job at the same time: read the result.
      if (
        isRegistryError(error, 'REGISTRY_NODE_EXISTS', 'REGISTRY_BAD_VERSION', 'REGISTRY_NO_NODE')
      )
        continue
      // The whole setup is idempotent.
      const isLoss = isRegistryError(error, 'REGISTRY_CONNECTION_LOSS', 'REGISTRY_NOT_CONNECTED')
      losses += 1
      if (!isLoss || losses > host.services.maxRetries) throw error
    }
  }
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `job ${host.jobName} could not be set up: others change it all the time`,
  )
}

async function create(host: Coordination, declaration: JobDeclaration): Promise<void> {
  const { configuration } = declaration
  const now = host.session.now()
  const schedule = { digest: scheduleDigest(configuration), since: now }
  const timeline = [{ from: now, ...timingOf(configuration) }]
  await makeJob(host, declaration, {
    configText: writeJob(asNewJob(configuration)),
    total: configuration.shardingTotalCount,
    jobState: { ...noJobState, schedule, timeline },
  })
}

/** The inputs to create a job, initially and after the registry has lost it. */
export interface JobMaterial extends Pick<
  Creation,
  'configText' | 'jobState' | 'disabledServers' | 'disabledShards'
> {
  readonly total: number
}

/** Creates a job that does not exist. */
export async function makeJob(
  host: Coordination,
  declared: DeclaredIdentity,
  { total, ...material }: JobMaterial,
): Promise<void> {
  const { session, replica } = host
  if (replica.jobState?.value.removing === true) throw removedError(host.jobName)
  const member = host.member()
  const { paths } = member
  const root = await session.find(paths.root)
  if (root !== undefined) {
    requireSameJob(host, { text: toText(root.data).trim(), source: paths.root }, declared)
  }
  const missing =
    replica.jobState === undefined
      ? await missingState(host, total, material.jobState)
      : { hasStates: true }
  await session.commit(
    planCreation(replica, member, {
      ...material,
      ...missing,
      rootData: root === undefined ? identityTextOf(declared) : undefined,
    }),
  )
}

/** The error for an instance that joins a job while an operator removes it. */
export function removedError(jobName: string): ElasticJobError {
  return new ElasticJobError(
    'JOB_REMOVED',
    `job ${jobName} is being removed; schedule it again when that is done. ` +
      'A removal that was interrupted is finished by removing the job once more',
  )
}

async function adopt(host: Coordination, declaration: JobDeclaration): Promise<void> {
  const { session, replica, jobName } = host
  const { paths } = host.member()
  const { configuration } = declaration
  const root = await session.get(paths.root)
  const { config } = replica
  if (config === undefined) return
  const legacy = config.text.trim() === '' ? await legacyFieldsOf(session, paths.config) : undefined
  const stored = storedIdentityOf(paths, toText(root.data), config.text, legacy)
  requireSameJob(host, stored, declaration)
  await requireNoOldVersion(host, config.text)
  if (legacy !== undefined && !configuration.overwrite) throw legacyError(paths.config)
  const problems =
    configuration.overwrite && isMixed(replica) ? mixedZoneProblems(configuration.timeZone) : []
  if (problems.length > 0) throw new ConfigurationError(`the job "${jobName}"`, problems)
  const text = configuration.overwrite
    ? overwritten(config.text, configuration, paths.config)
    : config.text
  const identity = identityTextOf(declaration)
  const isNamed =
    text === config.text
      ? isNamedOnJoining(stored, declaration, replica.instances)
      : identity !== '' && identity !== toText(root.data)
  if (text === config.text && !isNamed) return
  await session.commit([
    ...(text === config.text
      ? [part.check(paths.config, config.version)]
      : [part.set(paths.config, text, config.version), ...notedSchedule(replica, paths)]),
    ...(isNamed ? [part.set(paths.root, identity, root.stat.version)] : []),
  ])
}

/**
 * Records the replaced schedule: if the job had no leader since the schedule was stored, nothing else knows its fire
 * times.
 */
function notedSchedule({ jobState, config }: JobView, paths: JobPaths): TransactionPart[] {
  if (jobState === undefined || config === undefined) return []
  const stored = readableJob(config.text, paths.config)
  if (stored === undefined) return []
  const timeline = timelineWithStored(jobState.value, stored, config.mtime)
  if (timeline === jobState.value.timeline) return []
  return [
    part.set(paths.jobState, encodeJobState({ ...jobState.value, timeline }), jobState.version),
  ]
}

function readableJob(text: string, source: string): JobConfiguration | undefined {
  try {
    return readJob(text, source).configuration
  } catch (error) {
    if (isElasticJobError(error)) return undefined
    throw error
  }
}

/** Replaces the whole text if it cannot be read or changed in part. */
function overwritten(text: string, configuration: JobConfiguration, source: string): string {
  if (text.trim() === '' || isLegacyJson(text)) return writeJob(configuration)
  const { jobShardingStrategyType, ...changes } = configuration
  // The stored strategy stays unless the program names one: otherwise shards would move with every deployment.
  const named = jobShardingStrategyType === undefined ? changes : configuration
  try {
    return updateYaml(text, named, source)
  } catch (error) {
    if (isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')) return writeJob(configuration)
    throw error
  }
}

/** The nodes of a 1.x job, which store its type below an empty configuration; undefined if it is not a 1.x job. */
async function legacyFieldsOf(
  session: RegistrySession,
  path: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const [result] = await session.read([read.children(path)])
  const children = childrenIn(result)
  if (!isLegacyFields(children)) return undefined
  const names = identityFields.filter((name) => children.includes(name))
  const texts = await Promise.all(
    names.map(async (name) => {
      const { data } = await session.get(`${path}/${name}`)
      return [name, toText(data)] as const
    }),
  )
  return Object.fromEntries(texts)
}

/** The identity of a job as stored by 3.x, 2.x or 1.x. */
function storedIdentityOf(
  paths: JobPaths,
  rootText: string,
  configText: string,
  legacy: Readonly<Record<string, string>> | undefined,
): StoredIdentity {
  const text = rootText.trim()
  if (text !== '') return { text, source: paths.root }
  if (legacy !== undefined) {
    return { text: identityOfFields(legacy), source: `below ${paths.config}` }
  }
  return { text: identityOfLegacyJson(configText), source: paths.config }
}

function legacyError(path: string): ElasticJobError {
  return new ElasticJobError(
    'JOB_CONFIGURATION_UNREADABLE',
    `the configuration in ${path} is one of Elastic-Job 1.x, a node for each value; ` +
      'import it with `elasticjob import` or Operations.importConfiguration(), or schedule the job with overwrite: true to replace it',
  )
}

function requireSameJob(
  { jobName, replica }: Coordination,
  stored: StoredIdentity,
  declared: DeclaredIdentity,
): void {
  const conflict = conflictOf(jobName, stored, declared, replica.instances)
  if (conflict !== undefined) throw new ElasticJobError('JOB_CONFLICT', conflict)
}
