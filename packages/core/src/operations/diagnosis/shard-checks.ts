/** What keeps single shards from running. */
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

/** A finding about all shards in a state; undefined if there is none. */
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
  // Unknown is not absent: while the assignment cannot be read nobody can say who owns what.
  if (job.broken.some(({ kind }) => kind === 'assignment')) return undefined
  return about(job, isIn('no-owner'), (shardingItems) => ({
    cause: 'no-owner',
    what: message`nobody owns ${shardingItems} yet`,
    remedy: message`the leader assigns them within seconds; if it does not, see what it says in its log (sharding:failed), and that an enabled instance takes part`,
  }))
}

const awayOwners: Check = (job) => {
  if (job.instances.length === 0) return undefined
  return about(job, isIn('owner-away'), (shardingItems, shards) => ({
    cause: 'owner-away',
    what: message`the owner of ${shardingItems} takes no part at this moment: ${ownersOf(shards)}`,
    remedy: message`they are given to others within seconds; an instance that crashed is missed when its session has ended`,
  }))
}

const disabledShards: Check = (job) =>
  about(job, isIn('disabled'), (shardingItems) => ({
    cause: 'shard-disabled',
    what: message`an operator has disabled ${shardingItems}`,
    remedy: message`\`elasticjob enable JOB --item SHARD\`; what fell due meanwhile is not made up for`,
  }))

const waiting: Check = (job) =>
  about(job, isIn('waiting-for-failover'), (shardingItems) => ({
    cause: 'waiting-for-failover',
    ...(isTakeoverPaused(job)
      ? {
          what: message`a crashed instance has left ${shardingItems} unfinished; every instance that could take over is paused`,
          remedy: message`\`elasticjob resume JOB\`: the takeover then follows at once`,
        }
      : {
          what: message`a crashed instance has left ${shardingItems} unfinished; somebody has to take over`,
          remedy: message`an idle instance does so at once: see that an enabled one takes part`,
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
      what: message`a crashed instance has left ${shardingItems} unfinished, and failover is off`,
      remedy: message`they run at their next time; run them now with \`elasticjob trigger JOB --failed\`, or switch failover on`,
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
      what: message`${shardingItems} killed one instance after the other and was given up until its next time`,
      remedy: message`look at why the process dies (memory, native code); \`failover.max.attempts\` of the props is how often it is tried`,
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
      remedy: message`nothing, if it takes as long as it should; else give it a \`timeout.milliseconds\`, or stop it with \`elasticjob stop JOB --item SHARD\``,
    }),
    'info',
  )

function runsOn(shardingItems: Message, seconds: number | undefined): Message {
  if (seconds === undefined)
    return message`${shardingItems} runs; until it ends, no other run of it begins`
  return message`${shardingItems} runs for ${seconds} s; until it ends, no other run of it begins`
}

const failed: Check = (job) =>
  about(
    job,
    ({ state, run }) => state === 'pending' && run?.outcome === 'failure',
    (shardingItems, shards) => ({
      cause: 'failed',
      what: hasFailed(shardingItems, shards[0]?.run?.error),
      remedy: message`fix the cause, then \`elasticjob trigger JOB --failed\` runs them again`,
    }),
    'warning',
  )

function hasFailed(shardingItems: Message, error: string | undefined): Message {
  if (error === undefined)
    return message`the last run of ${shardingItems} failed: no reason was given`
  return message`the last run of ${shardingItems} failed: ${error}`
}

function ownersOf(shards: readonly ShardDetail[]): string {
  const owners = new Set(shards.map(({ owner }) => owner).filter((owner) => owner !== undefined))
  return [...owners].slice(0, 3).join(', ')
}

/** How long the one that runs longest has run; Java does not say. */
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
