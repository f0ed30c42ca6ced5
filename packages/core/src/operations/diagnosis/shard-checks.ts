/** Checks what prevents single shards from running. */
import { message, type Message } from '../../message.ts'
import type { JobDetail, ShardDetail } from '../details.ts'
import type { ShardPhase } from '../shard-status.ts'
import type { Check } from './check.ts'
import { type Cause, type Finding, finding, shardsText, type Severity } from './finding.ts'

interface Told {
  readonly cause: Cause
  readonly what: Message
  readonly remedy: Message
}

/** A finding about all matching shards; undefined if there is none. */
function about(
  { shards }: JobDetail,
  isMeant: (shard: ShardDetail) => boolean,
  tell: (shardingItems: Message, shards: readonly ShardDetail[]) => Told,
  severity?: Severity,
): Finding | undefined {
  const meant = shards.filter(isMeant)
  if (meant.length === 0) return undefined
  const isAll = meant.length === shards.length
  const shardingItems = shardsText(meant.map(({ shard: shardingItem }) => shardingItem))
  return finding({
    severity: severity ?? (isAll ? 'error' : 'warning'),
    ...tell(shardingItems, meant),
  })
}

const isIn =
  (...states: readonly ShardPhase[]) =>
  ({ state }: ShardDetail): boolean =>
    states.includes(state)

const ownerless: Check = (job) => {
  if (job.instances.length === 0) return undefined
  // While the assignment is unreadable, the owners are unknown, which does not mean that there are none.
  if (job.broken.some(({ kind }) => kind === 'assignment')) return undefined
  return about(job, isIn('no-owner'), (shardingItems) => ({
    cause: 'no-owner',
    what: message('shards-unowned', { shards: shardingItems }),
    remedy: message('shards-unowned-remedy'),
  }))
}

const awayOwners: Check = (job) => {
  if (job.instances.length === 0) return undefined
  return about(job, isIn('owner-away'), (shardingItems, shards) => ({
    cause: 'owner-away',
    what: message('owners-away', { shards: shardingItems, owners: ownersOf(shards) }),
    remedy: message('owners-away-remedy'),
  }))
}

const disabledShards: Check = (job) =>
  about(job, isIn('disabled'), (shardingItems) => ({
    cause: 'shard-disabled',
    what: message('shards-disabled', { shards: shardingItems }),
    remedy: message('shards-disabled-remedy'),
  }))

const waiting: Check = (job) =>
  about(job, isIn('waiting-for-failover'), (shardingItems) => ({
    cause: 'waiting-for-failover',
    ...(isTakeoverPaused(job)
      ? {
          what: message('takeover-paused', { shards: shardingItems }),
          remedy: message('takeover-paused-remedy'),
        }
      : {
          what: message('takeover-pending', { shards: shardingItems }),
          remedy: message('takeover-pending-remedy'),
        }),
  }))

function isTakeoverPaused({ servers, instances }: JobDetail): boolean {
  const candidates = servers.filter(
    ({ server, enabled }) => enabled && instances.some((one) => one.server === server && !one.java),
  )
  return candidates.length > 0 && candidates.every(({ paused }) => paused)
}

const crashed: Check = (job) => {
  const hasFailover = job.configuration?.failover === true
  return about(
    job,
    ({ state }) => state === 'crashed' || (state === 'abandoned' && !hasFailover),
    (shardingItems) => ({
      cause: 'crashed-without-failover',
      what: message('takeover-off', { shards: shardingItems }),
      remedy: message('takeover-off-remedy'),
    }),
    'warning',
  )
}

const abandoned: Check = (job) => {
  if (job.configuration?.failover !== true) return undefined
  return about(
    job,
    isIn('abandoned'),
    (shardingItems) => ({
      cause: 'abandoned',
      what: message('takeover-given-up', { shards: shardingItems }),
      remedy: message('takeover-given-up-remedy'),
    }),
    'warning',
  )
}

const running: Check = (job, { now }) =>
  about(
    job,
    isIn('running', 'taken-over', 'stopping'),
    (shardingItems, shards) => ({
      cause: 'still-running',
      what: runsOn(shardingItems, secondsOf(shards, now)),
      remedy: message('shards-running-remedy'),
    }),
    'info',
  )

function runsOn(shardingItems: Message, seconds: number | undefined): Message {
  if (seconds === undefined) return message('shards-running', { shards: shardingItems })
  return message('shards-running-since', { shards: shardingItems, seconds })
}

const failed: Check = (job) =>
  about(
    job,
    ({ state, run }) => state === 'pending' && run?.outcome === 'failure',
    (shardingItems, shards) => ({
      cause: 'failed',
      what: hasFailed(shardingItems, shards[0]?.run?.error),
      remedy: message('runs-failed-remedy'),
    }),
    'warning',
  )

function hasFailed(shardingItems: Message, error: string | undefined): Message {
  if (error === undefined) return message('runs-failed-without-error', { shards: shardingItems })
  return message('runs-failed', { shards: shardingItems, error })
}

function ownersOf(shards: readonly ShardDetail[]): string {
  const owners = new Set(shards.map(({ owner }) => owner).filter((owner) => owner !== undefined))
  return [...owners].slice(0, 3).join(', ')
}

/**
 * The duration of the longest current run, in seconds; undefined if unknown, because Java does not record the start.
 */
function secondsOf(shards: readonly ShardDetail[], now: Date): number | undefined {
  const begins = shards.map(({ run }) => run?.begin.getTime()).filter((time) => time !== undefined)
  if (begins.length === 0) return undefined
  return Math.round((now.getTime() - Math.min(...begins)) / 1000)
}

export const shardChecks: readonly Check[] = [
  ownerless,
  awayOwners,
  disabledShards,
  waiting,
  crashed,
  abandoned,
  running,
  failed,
]
