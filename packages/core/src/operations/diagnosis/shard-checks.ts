/** What keeps single items from running. */
import { say, type Sentence } from '../../sentence.ts'
import type { JobDetail, ShardDetail } from '../details.ts'
import type { ShardState } from '../shard-status.ts'
import type { Check } from './check.ts'
import { type Cause, type Finding, finding, itemsInWords, type Severity } from './finding.ts'

interface Told {
  readonly cause: Cause
  readonly what: Sentence
  readonly remedy: Sentence
}

/** A finding about all items in a state; undefined if there is none. */
function about(
  { shards }: JobDetail,
  isMeant: (shard: ShardDetail) => boolean,
  tell: (items: Sentence, shards: readonly ShardDetail[]) => Told,
  severity?: Severity,
): Finding | undefined {
  const meant = shards.filter(isMeant)
  if (meant.length === 0) return undefined
  const isAll = meant.length === shards.length
  const items = itemsInWords(meant.map(({ item }) => item))
  return finding({ severity: severity ?? (isAll ? 'stops' : 'hinders'), ...tell(items, meant) })
}

const isIn =
  (...states: readonly ShardState[]) =>
  ({ state }: ShardDetail): boolean =>
    states.includes(state)

const ownerless: Check = (job) => {
  if (job.instances.length === 0) return undefined
  return about(job, isIn('no-owner'), (items) => ({
    cause: 'no-owner',
    what: say`nobody owns ${items} yet`,
    remedy: say`the leader deals them out within seconds; if it does not, see what it says in its log (sharding:failed), and that an enabled instance takes part`,
  }))
}

const awayOwners: Check = (job) => {
  if (job.instances.length === 0) return undefined
  return about(job, isIn('owner-away'), (items, shards) => ({
    cause: 'owner-away',
    what: say`the owner of ${items} takes no part at this moment: ${ownersOf(shards)}`,
    remedy: say`they are given to others within seconds; an instance that crashed is missed when its session has ended`,
  }))
}

const disabledItems: Check = (job) =>
  about(job, isIn('disabled'), (items) => ({
    cause: 'shard-disabled',
    what: say`an operator has disabled ${items}`,
    remedy: say`\`elasticjob enable JOB --item ITEM\`; what fell due meanwhile is not made up for`,
  }))

const waiting: Check = (job) =>
  about(job, isIn('waiting-for-failover'), (items) => ({
    cause: 'waiting-for-failover',
    what: say`a crashed instance has left ${items} unfinished; somebody has to take over`,
    remedy: say`an idle instance does so at once: see that an enabled one takes part`,
  }))

const crashed: Check = (job) => {
  const hasFailover = job.configuration?.failover === true
  return about(
    job,
    ({ state }) => state === 'crashed' || (state === 'abandoned' && !hasFailover),
    (items) => ({
      cause: 'crashed-without-failover',
      what: say`a crashed instance has left ${items} unfinished, and failover is off`,
      remedy: say`they run at their next time; run them now with \`elasticjob trigger JOB --failed\`, or switch failover on`,
    }),
    'hinders',
  )
}

const abandoned: Check = (job) => {
  if (job.configuration?.failover !== true) return undefined
  return about(
    job,
    isIn('abandoned'),
    (items) => ({
      cause: 'abandoned',
      what: say`${items} killed one instance after the other and was given up until its next time`,
      remedy: say`look at why the process dies (memory, native code); \`failover.max.attempts\` of the props is how often it is tried`,
    }),
    'hinders',
  )
}

const running: Check = (job, { now }) =>
  about(
    job,
    isIn('running', 'taken-over', 'stopping'),
    (items, shards) => ({
      cause: 'still-running',
      what: runsOn(items, secondsOf(shards, now)),
      remedy: say`nothing, if it takes as long as it should; else give it a \`timeout.milliseconds\`, or stop it with \`elasticjob stop JOB --item ITEM\``,
    }),
    'note',
  )

function runsOn(items: Sentence, seconds: number | undefined): Sentence {
  if (seconds === undefined) return say`${items} runs; until it ends, no other run of it begins`
  return say`${items} runs for ${seconds} s; until it ends, no other run of it begins`
}

const failed: Check = (job) =>
  about(
    job,
    ({ state, run }) => state === 'pending' && run?.outcome === 'failure',
    (items, shards) => ({
      cause: 'failed',
      what: hasFailed(items, shards[0]?.run?.error),
      remedy: say`mend the cause, then \`elasticjob trigger JOB --failed\` runs them again`,
    }),
    'hinders',
  )

function hasFailed(items: Sentence, error: string | undefined): Sentence {
  if (error === undefined) return say`the last run of ${items} failed: no reason was given`
  return say`the last run of ${items} failed: ${error}`
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
  disabledItems,
  waiting,
  crashed,
  abandoned,
  running,
  failed,
]
