/** The log lines for operators: one line for each event that matters to them. */
import type { ElasticJobEvents } from '../events.ts'
import type { Logger } from '../logger.ts'
import { messageOf } from '../thrown.ts'

type Level = keyof Logger
type Line = readonly [level: Level, text: string]

type Lines = {
  readonly [Name in keyof ElasticJobEvents]?: (
    payload: ElasticJobEvents[Name][0],
  ) => Line | undefined
}

const lines: Lines = {
  'job:scheduled': ({ jobName, cron, shardingTotalCount }) => [
    'info',
    `Job '${jobName}' is scheduled: ${cron ?? 'runs when it is triggered'}, ${count(shardingTotalCount, 'shard')}`,
  ],
  'job:stopped': ({ jobName }) => ['info', `Job '${jobName}' has stopped here`],
  'job:broken': ({ jobName, reason }) => [
    'error',
    `Job '${jobName}' is broken: ${reason}. Run "elasticjob repair ${jobName}" to see what can be done`,
  ],
  'job:recovered': ({ jobName }) => [
    'info',
    `Job '${jobName}' has recovered: all its nodes can be read`,
  ],
  'config:changed': ({ jobName, keys }) => [
    'info',
    `Job '${jobName}' has a new configuration: ${keys.join(', ')}`,
  ],
  'config:refused': ({ jobName, error }) => [
    'error',
    `Job '${jobName}' keeps its configuration, the new one cannot be used: ${messageOf(error)}`,
  ],
  'config:warning': ({ jobName, message }) => ['warn', `Job '${jobName}': ${message}`],
  'leader:elected': ({ jobName }) => ['info', `Job '${jobName}' is led by this instance`],
  'leader:took-over': ({ jobName, former }) => [
    'warn',
    `Job '${jobName}' was not resharded by its Java leader ${former} for too long: this instance leads in its place`,
  ],
  'leader:abdicated': ({ jobName, reason }) => [
    'info',
    `Job '${jobName}' is led by this instance no more: ${reason}`,
  ],
  'sharding:requested': ({ jobName, reason }) => [
    'warn',
    `Job '${jobName}' has a Java leader that overlooked a necessary resharding, which is requested now: ${reason}`,
  ],
  'sharding:failed': ({ jobName, error }) => [
    'error',
    `Job '${jobName}' cannot be resharded, the shards stay where they are: ${messageOf(error)}`,
  ],
  'shards:owned': ({ jobName, shards }) => [
    'info',
    `Job '${jobName}' runs ${shardsText(shards)} here`,
  ],
  'run:retried': ({ jobName, shardingItem, retry, error }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} failed and is tried again (${retry}): ${messageOf(error)}`,
  ],
  'run:stuck': ({ jobName, shardingItem, reason }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} was asked to end and has not: ${messageOf(reason)}`,
  ],
  'run:crashed': ({ jobName, shardingItem, instance }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} was left unfinished by ${instance}, which is gone; it waits for another instance`,
  ],
  'run:abandoned': ({ jobName, shardingItem, attempt }) => [
    'error',
    `Job '${jobName}' shard ${shardingItem} was begun ${attempt} times and never ended: given up until its next time`,
  ],
  'run:orphaned': ({ jobName, shardingItem }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} goes on although its session is lost; it runs here again when its code has ended`,
  ],
  'run:superseded': ({ jobName, shardingItem }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} ended after another run had taken it over`,
  ],
  'fire:missed': ({ jobName, shardingItem, first, fireTime, reason }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} did not run ${timesFrom(first, fireTime)}: ${reason}`,
  ],
  'fire:late': ({ jobName, shardingItem, fireTime, reason }) => [
    'warn',
    `Job '${jobName}' shard ${shardingItem} has not run ${timesFrom(fireTime, fireTime)} yet: ${reason}`,
  ],
  'clock:refused': ({ jobName, difference, limit }) => [
    'error',
    `Job '${jobName}' does not run here: the clock differs from the registry's by ${Math.round(difference / 1000)} s, at most ${limit} s are allowed`,
  ],
  'reconcile:repaired': ({ jobName, what }) => [
    'warn',
    `Repaired ${jobName === undefined ? 'the namespace' : `job '${jobName}'`}: ${what}`,
  ],
  'fire:corrected': ({ jobName, shardingItem, stored }) => [
    'warn',
    `Job '${jobName}': corrected the state of shard ${shardingItem}, whose fire time ${new Date(stored).toISOString()} is in the future: a clock was wrong, and the next fire time runs`,
  ],
  'barrier:timed-out': ({ jobName, phase, fireTime, missing }) => [
    'warn',
    `Job '${jobName}' waits no longer for its manual run of ${new Date(fireTime).toISOString()} to be ${phase}: ` +
      (missing.length === 0 ? 'its listeners have not ended' : `it lacks ${shardsText(missing)}`),
  ],
  'barrier:broken': ({ jobName, phase, fireTime, reason }) => [
    'warn',
    `Job '${jobName}' does not tell its listeners that its manual run of ${new Date(fireTime).toISOString()} was ${phase}: ${reason}`,
  ],
  'registry:timeout-raised': ({ requested, timeout, reason }) => [
    'warn',
    `Session timeout raised from ${requested} to ${timeout} ms (sessionTimeoutMilliseconds): ${reason}`,
  ],
  'registry:suspended': ({ reason }) => [
    'warn',
    `The registry is out of reach, jobs wait for it: ${messageOf(reason)}`,
  ],
  'registry:resumed': () => ['info', 'The registry is back'],
  'registry:renewed': ({ instance }) => [
    'warn',
    `The session was lost; this instance goes on as ${instance}`,
  ],
  'registry:data-lost': ({ loss }) => [
    'error',
    loss === 'wiped'
      ? 'Registry data lost: the nodes of this namespace are gone. This instance recreates its jobs with the configuration that was in effect and goes on'
      : 'Registry data lost: the registry was restored from older data. This instance opens a new session, reads everything again and goes on; runs since the backup are unknown to the registry',
  ],
  'lease:ended': ({ running }) =>
    running === 0
      ? undefined
      : ['warn', `The session is not proven to live any more: ${count(running, 'run')} aborted`],
  'dump:listening': ({ jobName, host, port }) => [
    'info',
    `Dumps of ${jobName === undefined ? 'any job' : `job '${jobName}'`} can be had at ${host}:${port}`,
  ],
  'dump:failed': ({ jobName, host, port, error }) => [
    'error',
    `Dumps of ${jobName === undefined ? 'jobs' : `job '${jobName}'`} cannot be had at ${host}:${port}: ${messageOf(error)}`,
  ],
  'error:unhandled': ({ jobName, error }) => [
    'error',
    `${jobName === undefined ? 'The scheduler' : `Job '${jobName}'`} has a problem: ${messageOf(error)}`,
  ],
}

/** The line for an event; undefined for an event that matters only to programs. */
export function logLineOf<Name extends keyof ElasticJobEvents>(
  name: Name,
  payload: ElasticJobEvents[Name][0],
): Line | undefined {
  return lines[name]?.(payload)
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function timesFrom(first: number, last: number): string {
  const [from, to] = [first, last].map((time) => new Date(time).toISOString())
  return first === last ? `at ${from}` : `at its times from ${from} to ${to}`
}

function shardsText(shards: readonly number[]): string {
  if (shards.length === 0) return 'no shards'
  return `${shards.length === 1 ? 'shard' : 'shards'} ${rangesOf(shards)}`
}

/** `0-3, 7, 9-10`: a thousand shards fit in a line. */
export function rangesOf(shards: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const shard of shards) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === shard - 1) last[1] = shard
    else ranges.push([shard, shard])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
