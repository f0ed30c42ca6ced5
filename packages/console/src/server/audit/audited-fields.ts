/**
 * The fields of the input that the audit log stores, for every endpoint that is not a GET; false for endpoints that
 * are not audited. A field that is not listed is never stored, so a new field cannot leak a password.
 */
import { maskTree } from '@elasticjob/core/internal'

import type { EndpointName, endpoints } from '../../contract/endpoints.ts'

type ChangingEndpoint = {
  [N in EndpointName]: (typeof endpoints)[N]['method'] extends 'GET' ? never : N
}[EndpointName]

/** All fields of a configuration in the form of 2.x. */
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
  // It changes nothing.
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
  // URLs can contain credentials: the message of the entry has the address without them.
  saveRegistry: ['name', 'namespace', 'noDigest', 'dataSource'],
  removeRegistry: ['name'],
  testRegistry: ['name', 'namespace', 'noDigest'],
  saveDataSource: ['name', 'username', 'driver'],
  removeDataSource: ['name'],
  testDataSource: ['name', 'username', 'driver'],
  // It only concerns the user's own default.
  connectRegistry: false,
  connectDataSource: false,
}

export function isAudited(name: EndpointName): boolean {
  return fieldsOf(name) !== false
}

/** The listed fields of a query and a body, as JSON. */
export function auditedInput(name: EndpointName, input: unknown): string | undefined {
  const fields = fieldsOf(name)
  if (fields === false || typeof input !== 'object' || input === null) return undefined
  const given = Object.entries(input).filter(([key]) => fields.includes(key))
  if (given.length === 0) return undefined
  try {
    return JSON.stringify(maskTree(Object.fromEntries(given)))
  } catch {
    // The entry is written whatever the input is.
    return JSON.stringify('the input cannot be stored')
  }
}

/** False for a GET, which changes nothing. */
function fieldsOf(name: EndpointName): readonly string[] | false {
  return Object.hasOwn(auditedFields, name) ? auditedFields[name as ChangingEndpoint] : false
}
