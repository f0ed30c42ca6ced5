/** Describes one job for operators. */
import { parseShardingItemParameters } from '../config/sharding-item-parameters.ts'
import { readInstance } from '../config/instance-yaml.ts'
import { type BrokenNode, stopsJob, whyBroken } from '../job-tree/broken-node.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { noJobState } from '../job-tree/job-state.ts'
import { englishOf } from '../message.ts'
import { ownerOf } from '../sharding/needs.ts'
import type {
  BrokenPart,
  JobDetail,
  JobInstance,
  JobServer,
  JobSummary,
  RefusedClock,
  ShardDetail,
  ShardRun,
} from './details.ts'
import { jobStatus, legacyJobStatus } from './job-status.ts'
import { runnerOf } from './runner.ts'
import { serversOf, serverStateOf } from './server-status.ts'
import {
  isCompleted,
  legacyShardStatus,
  obstacleOf,
  shardPhase,
  shardStatus,
} from './shard-status.ts'
import type { JobSnapshot } from './snapshot.ts'
import { kindOf, type Stored, storedIn } from './stored.ts'

/** `now`: for the next fire time, in registry time as far as it is known. */
export function summaryOf(snapshot: JobSnapshot, now: number): JobSummary {
  return summarize(snapshot, storedIn(snapshot), now)
}

export function detailOf(snapshot: JobSnapshot, now: number): JobDetail {
  const { view } = snapshot
  const stored = storedIn(snapshot)
  const summary = summarize(snapshot, stored, now)
  const jobState = view.jobState?.value ?? noJobState
  const shardingItems = shardsOf(view, summary.shardingTotalCount)
  const messageParts = stored.configuration?.shardingItemParameters ?? ''
  const { parameters } = parseShardingItemParameters(messageParts)
  return {
    ...summary,
    configuration: stored.configuration,
    configurationVersion: view.config?.version ?? -1,
    leader: view.leader?.instance,
    shards: shardingItems.map((shardingItem) =>
      shardOf(snapshot, stored, shardingItem, parameters.get(shardingItem), summary.nextFireTime),
    ),
    servers: serversOf(view).map((ip) => serverIn(snapshot, ip, shardingItems)),
    instances: [...view.instances]
      .toSorted()
      .map((one) => instanceIn(snapshot, one, shardingItems)),
    manualRuns: {
      last: jobState.lastRound,
      running: jobState.running,
      pending: jobState.pending,
      previous: jobState.previous,
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
  const { configuration, fires } = stored
  const [broken] = snapshot.broken
  const problem = stored.problem ?? (broken && whyBroken(broken))
  const {
    paused = false,
    pausedServers = [],
    removing = false,
  } = view.jobState?.value ?? noJobState
  const total = configuration?.shardingTotalCount ?? 0
  const status = jobStatus(snapshot, total)
  const isOff =
    paused ||
    removing ||
    status === 'DISABLED' ||
    status === 'CRASHED' ||
    snapshot.broken.some(stopsJob)
  return {
    jobName: view.jobName,
    broken: snapshot.broken.map(brokenPart),
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
    refusedClocks: refusedClocksIn(view),
    problem: problem === undefined ? undefined : englishOf(problem),
    ...(typeof problem === 'object' ? { problemParts: problem } : {}),
  }
}

/** The refused clocks of living instances; those of dead instances do not matter any more. */
function refusedClocksIn({ jobState, alive }: JobView): RefusedClock[] {
  return Object.entries(jobState?.value.refusedClocks ?? {})
    .filter(([instance]) => alive.has(instance))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([instance, difference]) => ({ instance, server: serverOf(instance), difference }))
}

function brokenPart(node: BrokenNode): BrokenPart {
  const { kind, shard: shardingItem, problem } = node
  const messageParts = whyBroken(node)
  const { path } = problem
  return {
    kind,
    path,
    ...(shardingItem === undefined ? {} : { shard: shardingItem }),
    reason: messageParts.text,
    messageParts,
  }
}

/** The shards that the job has, and those left over from a larger shard count. */
function shardsOf(view: JobView, total: number): number[] {
  const shardingItems = new Set([...Array(total).keys(), ...view.shards.keys()])
  return [...shardingItems].toSorted((a, b) => a - b)
}

function shardOf(
  snapshot: JobSnapshot,
  { failover }: Stored,
  shardingItem: number,
  parameter: string | undefined,
  nextFireTime: Date | undefined,
): ShardDetail {
  const { view, shardStates } = snapshot
  const nodes = view.shards.get(shardingItem)
  const owner = ownerOf(view, shardingItem)
  const shardState = shardStates.get(shardingItem)?.value
  const state = shardPhase(snapshot, shardingItem, failover)
  const obstacle = obstacleOf(snapshot, shardingItem, failover)
  const isOff = state === 'disabled' || state === 'paused'
  return {
    shard: shardingItem,
    parameter,
    status: shardStatus(snapshot, shardingItem),
    legacyStatus: legacyShardStatus(snapshot, shardingItem),
    state,
    obstacle: obstacle?.text,
    ...(obstacle === undefined ? {} : { obstacleParts: obstacle }),
    owner,
    server: owner === undefined ? undefined : serverOf(owner),
    ownerOnline: owner !== undefined && view.instances.has(owner),
    movesTo: view.assignment?.value.moving.get(shardingItem),
    disabled: nodes?.disabled === true,
    failover: nodes?.failover,
    run:
      shardState === undefined || shardState.run === ''
        ? undefined
        : runOf(view, shardingItem, shardState),
    completed: isCompleted(snapshot, shardingItem),
    lastBeginTime: dateOf(shardState?.begin),
    lastCompleteTime: dateOf(shardState?.end),
    nextFireTime: isOff ? undefined : nextFireTime,
  }
}

function runOf({ jobState }: JobView, shardingItem: number, shardState: ShardState): ShardRun {
  return {
    runId: shardState.run,
    instance: shardState.instance,
    source: shardState.source,
    attempt: shardState.attempt,
    manualRun: shardState.source === 'trigger' ? shardState.round : undefined,
    fireTime: dateOf(shardState.fireTime),
    begin: new Date(shardState.begin),
    end: dateOf(shardState.end),
    outcome: shardState.outcome,
    error: shardState.error,
    stopping: jobState?.value.stops?.[shardingItem] === shardState.run,
  }
}

function serverIn(snapshot: JobSnapshot, ip: string, shardingItems: readonly number[]): JobServer {
  const isOnServer = (shard: number): boolean =>
    serverOf(ownerOf(snapshot.view, shard) ?? '') === ip
  return {
    server: ip,
    ...serverStateOf(snapshot, ip),
    shards: shardingItems.filter(isOnServer),
  }
}

function instanceIn(
  snapshot: JobSnapshot,
  instance: string,
  shardingItems: readonly number[],
): JobInstance {
  const { view, instanceTexts } = snapshot
  return {
    instance,
    server: serverOf(instance),
    label: readInstance(instanceTexts.get(instance) ?? '')?.labels,
    java: isJavaInstance(instance),
    leads: view.leader?.instance === instance,
    leaving: view.jobState?.value.shutdown?.includes(instance) === true,
    shards: shardingItems.filter((shardingItem) => ownerOf(view, shardingItem) === instance),
    running: shardingItems.filter((shardingItem) => runnerOf(snapshot, shardingItem) === instance),
  }
}

/** Converts a stored time; 0 means never. */
function dateOf(time: number | undefined): Date | undefined {
  return time === undefined || time === 0 ? undefined : new Date(time)
}
