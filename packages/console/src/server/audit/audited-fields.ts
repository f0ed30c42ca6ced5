/**
 * Which fields of what was sent the audit keeps, for every endpoint that is not a GET; false for those that are not
 * audited. A field that is not listed is never written down, so a new one cannot bring a password along.
 */
import { maskTree } from '@elasticjob/core/internal'

import type { EndpointName, endpoints } from '../../contract/endpoints.ts'

type ChangingEndpoint = {
  [N in EndpointName]: (typeof endpoints)[N]['method'] extends 'GET' ? never : N
}[EndpointName]

/** The whole of what a job's configuration can be given in the shape of 2.x. */
const settings = [
  'jobName',
  'version',
  'cron',
  'timeZone',
  'shardingTotalCount',
  'shardingItemParameters',
  'jobParameter',
  'monitorExecution',
  'failover',
  'misfire',
  'maxTimeDiffSeconds',
  'reconcileIntervalMinutes',
  'jobShardingStrategyType',
  'jobExecutorThreadPoolSizeProviderType',
  'jobErrorHandlerType',
  'jobListenerTypes',
  'description',
  'props',
  'disabled',
  'overwrite',
  'label',
  'staticSharding',
  'streamingProcess',
  'scriptCommandLine',
  'monitorPort',
]

export const auditedFields: Readonly<Record<ChangingEndpoint, readonly string[] | false>> = {
  login: ['username'],
  logout: [],
  changePassword: ['username'],
  changeSettings: settings,
  removeJob: [],
  triggerJob: ['parameter', 'instances', 'servers', 'shards', 'failed'],
  disableJob: [],
  enableJob: [],
  shutdownJob: [],
  disableShard: [],
  enableShard: [],
  bulk: ['action', 'jobs'],
  pauseJob: [],
  resumeJob: [],
  reshardJob: [],
  repairJob: ['dryRun'],
  stopRun: [],
  revealConfiguration: [],
  // It only asks.
  checkConfiguration: false,
  changeConfiguration: ['changes', 'version'],
  disableServer: [],
  enableServer: [],
  shutdownServer: [],
  removeServer: [],
  disableServerJob: [],
  enableServerJob: [],
  shutdownServerJob: [],
  removeServerJob: [],
  pauseServer: [],
  resumeServer: [],
  pauseServerJob: [],
  resumeServerJob: [],
  dumpFromServer: [],
  // Addresses may have credentials in them: what was done names them without.
  saveRegistry: ['name', 'namespace', 'noDigest', 'dataSource'],
  removeRegistry: ['name'],
  testRegistry: ['name', 'namespace', 'noDigest'],
  saveDataSource: ['name', 'username', 'driver'],
  removeDataSource: ['name'],
  testDataSource: ['name', 'username', 'driver'],
  // A choice of one's own.
  connectRegistry: false,
  connectDataSource: false,
}

export function isAudited(name: EndpointName): boolean {
  return fieldsOf(name) !== false
}

/** What of a query and a body is written down, as JSON. */
export function auditedInput(name: EndpointName, input: unknown): string | undefined {
  const fields = fieldsOf(name)
  if (fields === false || typeof input !== 'object' || input === null) return undefined
  const given = Object.entries(input).filter(([key]) => fields.includes(key))
  if (given.length === 0) return undefined
  try {
    return JSON.stringify(maskTree(Object.fromEntries(given)))
  } catch {
    // Whatever it is, that it was sent has to be known.
    return JSON.stringify('the input cannot be stored')
  }
}

/** False for a GET, which changes nothing. */
function fieldsOf(name: EndpointName): readonly string[] | false {
  return Object.hasOwn(auditedFields, name) ? auditedFields[name as ChangingEndpoint] : false
}
