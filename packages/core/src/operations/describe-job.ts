/** What an operator is told of one job. */
import { parseShardingItemParameters } from '../config/sharding-item-parameters.ts'
import { readInstance } from '../config/instance-yaml.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { ItemWord } from '../job-tree/item-word.ts'
import { isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobWord } from '../job-tree/job-word.ts'
import { englishOf } from '../sentence.ts'
import { ownerOf } from '../sharding/needs.ts'
import type {
  JobDetail,
  JobInstance,
  JobServer,
  JobSummary,
  ShardDetail,
  ShardRun,
} from './details.ts'
import { jobStatus, legacyJobStatus } from './job-status.ts'
import { runnerOf } from './runner.ts'
import { instancesOn, serversOf, serverStatus } from './server-status.ts'
import {
  isCompleted,
  legacyShardStatus,
  obstacleOf,
  shardState,
  shardStatus,
} from './shard-status.ts'
import type { JobSnapshot } from './snapshot.ts'
import { kindOf, type Stored, storedIn } from './stored.ts'

/** `now`: for the next fire, in the registry's time as far as it is known. */
export function summaryOf(snapshot: JobSnapshot, now: number): JobSummary {
  return summarize(snapshot, storedIn(snapshot), now)
}

export function detailOf(snapshot: JobSnapshot, now: number): JobDetail {
  const { view } = snapshot
  const stored = storedIn(snapshot)
  const summary = summarize(snapshot, stored, now)
  const word = view.word?.value ?? noJobWord
  const items = itemsOf(view, summary.shardingTotalCount)
  return {
    ...summary,
    configuration: stored.configuration,
    configurationVersion: view.config?.version ?? -1,
    leader: view.leader?.instance,
    shards: items.map((item) => shardOf(snapshot, stored, item, summary.nextFireTime)),
    servers: serversOf(view).map((ip) => serverIn(snapshot, ip, items)),
    instances: [...view.instances].toSorted().map((one) => instanceIn(snapshot, one, items)),
    rounds: {
      last: word.lastRound,
      running: word.running,
      pending: word.pending,
      previous: word.previous,
    },
    resharding: view.processing
      ? 'under way'
      : view.necessary === undefined
        ? undefined
        : 'requested',
  }
}

function summarize(snapshot: JobSnapshot, stored: Stored, now: number): JobSummary {
  const { view } = snapshot
  const { configuration, fires, problem } = stored
  const { paused = false, pausedServers = [], removing = false } = view.word?.value ?? noJobWord
  const total = configuration?.shardingTotalCount ?? 0
  const status = jobStatus(snapshot, total)
  const isOff = paused || removing || status === 'DISABLED' || status === 'CRASHED'
  return {
    jobName: view.jobName,
    status,
    legacyStatus: legacyJobStatus(snapshot),
    paused,
    pausedServers,
    removing,
    description: configuration?.description ?? '',
    cron: configuration?.cron,
    timeZone: configuration?.timeZone,
    shardingTotalCount: total,
    instanceCount: view.instances.size,
    serverCount: serversOf(view).length,
    kind: kindOf(view),
    nextFireTime: isOff ? undefined : dateOf(fires?.nextAfter(now)),
    problem: problem === undefined ? undefined : englishOf(problem),
    ...(typeof problem === 'object' ? { problemSaid: problem } : {}),
  }
}

/** Those that the job has, and those that are left over from a time when it had more. */
function itemsOf(view: JobView, total: number): number[] {
  const items = new Set([...Array(total).keys(), ...view.items.keys()])
  return [...items].toSorted((a, b) => a - b)
}

function shardOf(
  snapshot: JobSnapshot,
  { configuration, failover }: Stored,
  item: number,
  nextFireTime: Date | undefined,
): ShardDetail {
  const { view, words } = snapshot
  const nodes = view.items.get(item)
  const owner = ownerOf(view, item)
  const word = words.get(item)?.value
  const state = shardState(snapshot, item, failover)
  const obstacle = obstacleOf(snapshot, item, failover)
  const isOff = state === 'disabled' || state === 'paused'
  const parameters = parseShardingItemParameters(configuration?.shardingItemParameters ?? '')
  return {
    item,
    parameter: parameters.parameters.get(item),
    status: shardStatus(snapshot, item),
    legacyStatus: legacyShardStatus(snapshot, item),
    state,
    obstacle: obstacle?.text,
    ...(obstacle === undefined ? {} : { obstacleSaid: obstacle }),
    owner,
    server: owner === undefined ? undefined : serverOf(owner),
    ownerOnline: owner !== undefined && view.instances.has(owner),
    movesTo: view.epoch?.value.moving.get(item),
    disabled: nodes?.disabled === true,
    failover: nodes?.failover,
    run: word === undefined || word.run === '' ? undefined : runOf(view, item, word),
    completed: isCompleted(snapshot, item),
    lastBeginTime: dateOf(word?.begin),
    lastCompleteTime: dateOf(word?.end),
    nextFireTime: isOff ? undefined : nextFireTime,
  }
}

function runOf({ word: jobWord }: JobView, item: number, word: ItemWord): ShardRun {
  return {
    runId: word.run,
    instance: word.instance,
    source: word.source,
    attempt: word.attempt,
    round: word.source === 'trigger' ? word.round : undefined,
    fireTime: dateOf(word.fireTime),
    begin: new Date(word.begin),
    end: dateOf(word.end),
    outcome: word.outcome,
    error: word.error,
    stopping: jobWord?.value.stops?.[item] === word.run,
  }
}

function serverIn(snapshot: JobSnapshot, ip: string, items: readonly number[]): JobServer {
  const { view } = snapshot
  return {
    server: ip,
    status: serverStatus(snapshot, ip),
    enabled: isServerEnabled(view, ip),
    paused: isPaused(view.word?.value ?? noJobWord, ip),
    instances: instancesOn(view, ip),
    items: items.filter((item) => serverOf(ownerOf(view, item) ?? '') === ip),
  }
}

function instanceIn(
  snapshot: JobSnapshot,
  instance: string,
  items: readonly number[],
): JobInstance {
  const { view, instanceTexts } = snapshot
  return {
    instance,
    server: serverOf(instance),
    label: readInstance(instanceTexts.get(instance) ?? '')?.labels,
    java: isJavaInstance(instance),
    leads: view.leader?.instance === instance,
    leaving: view.word?.value.shutdown?.includes(instance) === true,
    items: items.filter((item) => ownerOf(view, item) === instance),
    running: items.filter((item) => runnerOf(snapshot, item) === instance),
  }
}

/** 0 stands for never. */
function dateOf(time: number | undefined): Date | undefined {
  return time === undefined || time === 0 ? undefined : new Date(time)
}
