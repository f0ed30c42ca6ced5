/** Jobs and servers as the server tells of them. */
import type { JobConfiguration } from '../../../src/contract/configuration.ts'
import type { JobDetail, JobEntry, JobInstance, Shard } from '../../../src/contract/jobs.ts'
import type { ServerEntry } from '../../../src/contract/servers.ts'

export function jobEntry(parts: Partial<JobEntry> = {}): JobEntry {
  return {
    jobName: 'sync-orders',
    status: 'OK',
    description: '',
    cron: '0/10 * * * * ?',
    instanceCount: 2,
    shardingTotalCount: 4,
    state: 'ok',
    legacyStatus: 'OK',
    paused: false,
    pausedServers: [],
    refusedClocks: [],
    removing: false,
    serverCount: 2,
    kind: 'ours',
    runningCount: 0,
    disabledShardCount: 0,
    leftShardCount: 0,
    recent: [],
    ...parts,
  }
}

export function shard(shardingItem: number, parts: Partial<Shard> = {}): Shard {
  return {
    shard: shardingItem,
    status: 'PENDING',
    legacyStatus: 'PENDING',
    state: 'pending',
    ownerOnline: true,
    disabled: false,
    completed: true,
    ...parts,
  }
}

export function instance(id: string, parts: Partial<JobInstance> = {}): JobInstance {
  const [server = ''] = id.split('@-@')
  return {
    instance: id,
    server,
    java: false,
    leads: false,
    leaving: false,
    shards: [],
    running: [],
    ...parts,
  }
}

export function jobDetail(parts: Partial<JobDetail> = {}): JobDetail {
  return {
    ...jobEntry(),
    configurationVersion: 0,
    shards: [],
    servers: [],
    instances: [],
    manualRuns: { last: 0 },
    ...parts,
  }
}

export function serverEntry(parts: Partial<ServerEntry> = {}): ServerEntry {
  return {
    serverIp: '10.0.0.1',
    instances: ['10.0.0.1@-@1'],
    jobNames: ['sync-orders'],
    instancesNum: 1,
    jobsNum: 1,
    disabledJobsNum: 0,
    pausedJobsNum: 0,
    crashedJobsNum: 0,
    shardsNum: 4,
    runningNum: 0,
    ...parts,
  }
}

export const configuration: JobConfiguration = {
  jobName: 'sync-orders',
  cron: '0/10 * * * * ?',
  shardingTotalCount: 4,
  shardingItemParameters: '',
  jobParameter: '',
  monitorExecution: true,
  failover: false,
  misfire: true,
  maxTimeDiffSeconds: -1,
  reconcileIntervalMinutes: 10,
  jobListenerTypes: [],
  jobExtraConfigurations: [],
  description: 'Orders',
  props: {},
  disabled: false,
  overwrite: false,
  staticSharding: false,
}
