/** How a job comes into being, or an instance finds the one that is there. */
import { isZooKeeperError, part, toText } from '@elasticjob/zookeeper'

import type { JobConfiguration } from '../config/job-configuration.ts'
import { writeJob } from '../config/job-yaml.ts'
import { updateYaml } from '../config/update-job.ts'
import { isLegacyFields } from '../config/legacy-fields.ts'
import { isLegacyJson } from '../config/legacy-json.ts'
import { ConfigurationError, ElasticJobError } from '../errors.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import { noJobWord } from '../job-tree/job-word.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { planCreation } from '../servers/plan.ts'
import { scheduleDigest } from './schedule.ts'
import { mixedZoneProblems } from '../config/mixed-zone.ts'

export interface JobDeclaration {
  readonly configuration: JobConfiguration
  /** What Java would call the job's class, or its type: guards against two jobs under one name. */
  readonly jobClass: string | undefined
}

/** How often somebody else may be quicker before it is said aloud. */
const attempts = 10

/** Makes the job, overwrites its configuration, or leaves both as they are. */
export async function setUpJob(
  host: Coordination,
  declaration: JobDeclaration,
  maxRetries: number,
): Promise<void> {
  let losses = 0
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await host.quiet()
    try {
      await (host.replica.config === undefined
        ? create(host, declaration)
        : adopt(host, declaration))
      await host.quiet()
      if (host.replica.config !== undefined) return
    } catch (error) {
      // Somebody else does the same at this moment: look at what came of it.
      if (isZooKeeperError(error, 'ZK_NODE_EXISTS', 'ZK_BAD_VERSION', 'ZK_NO_NODE')) continue
      // All of it may be done twice.
      const isLoss = isZooKeeperError(error, 'ZK_CONNECTION_LOSS', 'ZK_NOT_CONNECTED')
      losses += 1
      if (!isLoss || losses > maxRetries) throw error
    }
  }
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `job ${host.jobName} could not be set up: others change it all the time`,
  )
}

async function create(host: Coordination, declaration: JobDeclaration): Promise<void> {
  const { session, replica } = host
  if (replica.word?.value.removing === true) throw removedError(host.jobName)
  const member = host.member()
  const { paths } = member
  const rootData = await session.client
    .get(paths.root, { whileDisconnected: 'fail' })
    .then(({ data }) => toText(data))
    .catch((error: unknown) => {
      if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
      throw error
    })
  if (rootData !== undefined) requireSameClass(host.jobName, rootData, declaration.jobClass)
  const { configuration, jobClass } = declaration
  const schedule = { digest: scheduleDigest(configuration), since: session.now() }
  await session.commit(
    planCreation(replica, member, {
      configText: writeJob(configuration),
      rootData: rootData === undefined ? (jobClass ?? '') : undefined,
      word: { ...noJobWord, schedule },
    }),
  )
}

/** The error for who wants to take part in a job that an operator removes. */
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
  const { configuration, jobClass } = declaration
  const { data } = await session.client.get(paths.root, { whileDisconnected: 'fail' })
  requireSameClass(jobName, toText(data), jobClass)
  const { config } = replica
  if (config === undefined) return
  const isEmpty = config.text.trim() === ''
  if (!configuration.overwrite) {
    if (isEmpty) await requireNoLegacyFields(session, paths.config)
    return
  }
  const problems = isMixed(replica) ? mixedZoneProblems(configuration.timeZone) : []
  if (problems.length > 0) throw new ConfigurationError(`the job "${jobName}"`, problems)
  const text =
    isEmpty || isLegacyJson(config.text)
      ? writeJob(configuration)
      : updateYaml(config.text, configuration, paths.config)
  if (text === config.text) return
  await session.commit([
    part.set(paths.config, text, config.version),
    ...(jobClass === undefined ? [] : [part.set(paths.root, jobClass)]),
  ])
}

/** An empty configuration is one of 1.x if there is a node for each value below it. */
async function requireNoLegacyFields(session: RegistrySession, path: string): Promise<void> {
  const { children } = await session.client.children(path, { whileDisconnected: 'fail' })
  if (!isLegacyFields(children)) return
  throw new ElasticJobError(
    'JOB_CONFIGURATION_UNREADABLE',
    `the configuration in ${path} is one of Elastic-Job 1.x, a node for each value; ` +
      'import it with `elasticjob import` or Operations.importConfiguration(), or schedule the job with overwrite: true to replace it',
  )
}

function requireSameClass(jobName: string, stored: string, declared: string | undefined): void {
  if (declared === undefined || stored.trim() === '' || stored === declared) return
  throw new ElasticJobError(
    'JOB_CONFLICT',
    `job ${jobName} belongs to "${stored}" in the registry, and is "${declared}" here; ` +
      'give one of the two another name, or remove the job that is there',
  )
}
