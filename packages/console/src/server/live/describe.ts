/** Core's answers in the words of the contract: times are numbers, and what follows from several is said. */
import type { JobDetail as CoreDetail, Sentence, ShardDetail, ShardRun } from '@elasticjob/core'

import type {
  JobDetail,
  JobEntry,
  JobState,
  RecentRun,
  RunOutcome,
  Shard,
  ShardRun as ContractRun,
} from '../../contract/jobs.ts'
import type { Said } from '../../contract/sentence.ts'
import { saidOf } from '../wire-words.ts'
import { maskProps } from '../secrets.ts'

/** Texts from the registry are anybody's: what is longer is cut. */
const longestText = 2000

export function entryOf(job: CoreDetail, recent: readonly RecentRun[]): JobEntry {
  const shards = job.shards.filter(({ item }) => item < job.shardingTotalCount)
  const runningCount = shards.filter(isRunning).length
  return {
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
    timeZone: job.timeZone,
    serverCount: job.serverCount,
    kind: job.kind,
    nextFireTime: job.nextFireTime?.getTime(),
    problem: job.problem === undefined ? undefined : cut(job.problem),
    problemSaid: saidInBounds(job.problemSaid),
    runningCount,
    disabledItemCount: shards.filter(({ disabled }) => disabled).length,
    leftItemCount: shards.filter(({ state }) => leftStates.has(state)).length,
    last: recent.findLast(({ outcome }) => outcome !== 'running'),
    recent: [...recent],
  }
}

export function detailOf(job: CoreDetail, recent: readonly RecentRun[]): JobDetail {
  return {
    ...entryOf(job, recent),
    configuration: job.configuration && {
      ...job.configuration,
      jobListenerTypes: [...job.configuration.jobListenerTypes],
      jobExtraConfigurations: [...job.configuration.jobExtraConfigurations],
      // This goes to whoever looks; root reads the rest where it is changed.
      props: maskProps(job.configuration.props),
    },
    configurationVersion: job.configurationVersion,
    leader: job.leader,
    shards: job.shards.map(shardOf),
    servers: job.servers.map((server) => ({
      ...server,
      instances: [...server.instances],
      items: [...server.items],
    })),
    instances: job.instances.map((instance) => ({
      ...instance,
      items: [...instance.items],
      running: [...instance.running],
    })),
    rounds: {
      last: job.rounds.last,
      running: roundOf(job.rounds.running),
      pending: roundOf(job.rounds.pending),
      previous: roundOf(job.rounds.previous),
    },
    resharding: job.resharding,
  }
}

type Round = NonNullable<CoreDetail['rounds']['running']>

export function roundOf(round: Round | undefined): JobDetail['rounds']['running'] {
  return (
    round && {
      ...round,
      instances: round.instances && [...round.instances],
      items: round.items && [...round.items],
    }
  )
}

function shardOf(shard: ShardDetail): Shard {
  return {
    ...shard,
    obstacleSaid: shard.obstacleSaid && saidOf(shard.obstacleSaid),
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

/** The last run of an item, or the one that goes on; undefined if nothing is known of any. */
export function recentRunOf(shard: ShardDetail): RecentRun | undefined {
  const { run, item } = shard
  if (run === undefined) return undefined
  return {
    runId: run.runId,
    item,
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

/** A sentence cannot be cut: one that is too long is English alone. */
function saidInBounds(sentence: Sentence | undefined): Said | undefined {
  if (sentence === undefined || sentence.text.length > longestText) return undefined
  return saidOf(sentence)
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
