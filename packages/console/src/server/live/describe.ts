/** Converts core's answers to the contract: times are numbers, and derived fields are included. */
import type { Message } from '@elasticjob/core'
import { maskConfiguration, maskTexts } from '@elasticjob/core/internal'
import type { JobDetail as CoreDetail, ShardDetail, ShardRun } from '@elasticjob/core/operations'

import type {
  JobDetail,
  JobEntry,
  JobState,
  RecentRun,
  RunOutcome,
  Shard,
  ShardRun as ContractRun,
} from '../../contract/jobs.ts'
import type { MessageParts } from '../../contract/message.ts'
import { partsOf } from '../message-fields.ts'

/** Texts of the registry can be of any length: longer ones are truncated. */
const longestText = 2000

export function entryOf(job: CoreDetail, recent: readonly RecentRun[]): JobEntry {
  const shards = job.shards.filter(
    ({ shard: shardingItem }) => shardingItem < job.shardingTotalCount,
  )
  const runningCount = shards.filter(isRunning).length
  return maskTexts({
    jobName: job.jobName,
    status: job.status,
    description: cut(job.description),
    cron: job.cron,
    instanceCount: job.instanceCount,
    shardingTotalCount: job.shardingTotalCount,
    state: stateOf(job, runningCount),
    legacyStatus: job.legacyStatus,
    paused: job.paused,
    pausedServers: [...job.pausedServers],
    removing: job.removing,
    refusedClocks: job.refusedClocks.map((refused) => ({ ...refused })),
    timeZone: job.timeZone,
    serverCount: job.serverCount,
    kind: job.kind,
    nextFireTime: job.nextFireTime?.getTime(),
    problem: job.problem === undefined ? undefined : cut(job.problem),
    problemParts: partsInBounds(job.problemParts),
    runningCount,
    disabledShardCount: shards.filter(({ disabled }) => disabled).length,
    leftShardCount: shards.filter(({ state }) => leftStates.has(state)).length,
    last: recent.findLast(({ outcome }) => outcome !== 'running'),
    recent: [...recent],
  })
}

export function detailOf(job: CoreDetail, recent: readonly RecentRun[]): JobDetail {
  const configuration = job.configuration && maskConfiguration(job.configuration)
  return maskTexts({
    ...entryOf(job, recent),
    configuration: configuration && {
      ...configuration,
      jobListenerTypes: [...configuration.jobListenerTypes],
      jobExtraConfigurations: [...configuration.jobExtraConfigurations],
      props: { ...configuration.props },
    },
    configurationVersion: job.configurationVersion,
    leader: job.leader,
    shards: job.shards.map(shardOf),
    servers: job.servers.map((server) => ({
      ...server,
      instances: [...server.instances],
      shards: [...server.shards],
    })),
    instances: job.instances.map((instance) => ({
      ...instance,
      shards: [...instance.shards],
      running: [...instance.running],
    })),
    manualRuns: {
      last: job.manualRuns.last,
      running: manualRunOf(job.manualRuns.running),
      pending: manualRunOf(job.manualRuns.pending),
      previous: manualRunOf(job.manualRuns.previous),
    },
    resharding: job.resharding,
  })
}

type Round = NonNullable<CoreDetail['manualRuns']['running']>

export function manualRunOf(manualRun: Round | undefined): JobDetail['manualRuns']['running'] {
  return (
    manualRun && {
      ...manualRun,
      instances: manualRun.instances && [...manualRun.instances],
      shards: manualRun.shards && [...manualRun.shards],
    }
  )
}

function shardOf(shard: ShardDetail): Shard {
  return {
    ...shard,
    obstacleParts: shard.obstacleParts && partsOf(shard.obstacleParts),
    run: shard.run && runOf(shard.run),
    lastBeginTime: shard.lastBeginTime?.getTime(),
    lastCompleteTime: shard.lastCompleteTime?.getTime(),
    nextFireTime: shard.nextFireTime?.getTime(),
  }
}

function runOf(run: ShardRun): ContractRun {
  return {
    ...run,
    fireTime: run.fireTime?.getTime(),
    begin: run.begin.getTime(),
    end: run.end?.getTime(),
    error: run.error === undefined ? undefined : cut(run.error),
  }
}

const runningStates: ReadonlySet<ShardDetail['state']> = new Set([
  'running',
  'stopping',
  'taken-over',
])
const leftStates: ReadonlySet<ShardDetail['state']> = new Set([
  'waiting-for-failover',
  'crashed',
  'abandoned',
])

function isRunning({ state }: Pick<ShardDetail, 'state'>): boolean {
  return runningStates.has(state)
}

/** The active run of a shard, or its last one; undefined if no run is known. */
export function recentRunOf(shard: ShardDetail): RecentRun | undefined {
  const { run, shard: shardingItem } = shard
  if (run === undefined) return undefined
  return {
    runId: run.runId,
    shard: shardingItem,
    begin: run.begin.getTime(),
    end: run.end?.getTime(),
    outcome: outcomeOf(shard, run),
  }
}

function outcomeOf(shard: ShardDetail, { end, outcome }: ShardRun): RunOutcome {
  if (outcome !== undefined) return outcome
  if (end === undefined && isRunning(shard)) return 'running'
  return 'lost'
}

function stateOf(job: CoreDetail, runningCount: number): JobState {
  if (job.removing) return 'removing'
  if (job.problem !== undefined) return 'broken'
  if (job.status === 'CRASHED') return 'crashed'
  if (job.status === 'DISABLED') return 'disabled'
  if (job.paused) return 'paused'
  if (job.status === 'SHARDING_FLAG') return 'sharding'
  return runningCount > 0 ? 'running' : 'ok'
}

/** Message parts cannot be truncated: a message that is too long is sent in English only. */
function partsInBounds(message: Message | undefined): MessageParts | undefined {
  if (message === undefined || message.text.length > longestText) return undefined
  return partsOf(message)
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
