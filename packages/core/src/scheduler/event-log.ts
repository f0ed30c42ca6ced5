/** What an operator wants to read, and nothing else: one line for each event that matters. */
import type { ElasticJobEvents } from '../events.ts'
import type { Logger } from '../logger.ts'

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
    `Job '${jobName}' is scheduled: ${cron ?? 'runs when it is triggered'}, ${count(shardingTotalCount, 'item')}`,
  ],
  'job:stopped': ({ jobName }) => ['info', `Job '${jobName}' has stopped here`],
  'config:changed': ({ jobName, keys }) => [
    'info',
    `Job '${jobName}' has a new configuration: ${keys.join(', ')}`,
  ],
  'config:refused': ({ jobName, error }) => [
    'error',
    `Job '${jobName}' keeps its configuration, the new one cannot be used: ${textOf(error)}`,
  ],
  'config:warning': ({ jobName, message }) => ['warn', `Job '${jobName}': ${message}`],
  'leader:elected': ({ jobName }) => ['info', `Job '${jobName}' is led by this instance`],
  'leader:took-over': ({ jobName, former }) => [
    'warn',
    `Job '${jobName}' has not been dealt out by its Java leader ${former} for too long: this instance leads in its place`,
  ],
  'leader:abdicated': ({ jobName, reason }) => [
    'info',
    `Job '${jobName}' is led by this instance no more: ${reason}`,
  ],
  'sharding:requested': ({ jobName, reason }) => [
    'warn',
    `Job '${jobName}' has a Java leader that overlooks something, it is asked to deal out the items: ${reason}`,
  ],
  'sharding:failed': ({ jobName, error }) => [
    'error',
    `Job '${jobName}' cannot be dealt out, the items stay where they are: ${textOf(error)}`,
  ],
  'items:owned': ({ jobName, items }) => ['info', `Job '${jobName}' runs ${itemsText(items)} here`],
  'run:retried': ({ jobName, shardingItem, retry, error }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} failed and is tried again (${retry}): ${textOf(error)}`,
  ],
  'run:stuck': ({ jobName, shardingItem, reason }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} was asked to end and has not: ${textOf(reason)}`,
  ],
  'run:crashed': ({ jobName, shardingItem, instance }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} was left unfinished by ${instance}, which is gone; it waits for another instance`,
  ],
  'run:abandoned': ({ jobName, shardingItem, attempt }) => [
    'error',
    `Job '${jobName}' item ${shardingItem} was begun ${attempt} times and never ended: given up until its next time`,
  ],
  'run:orphaned': ({ jobName, shardingItem }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} goes on although its session is lost; it runs here again when its code has ended`,
  ],
  'run:superseded': ({ jobName, shardingItem }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} ended after another run had taken it over`,
  ],
  'fire:missed': ({ jobName, shardingItem, first, fireTime, reason }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} did not run ${timesFrom(first, fireTime)}: ${reason}`,
  ],
  'clock:refused': ({ jobName, difference, limit }) => [
    'error',
    `Job '${jobName}' does not run here: the clock differs from the registry's by ${Math.round(difference / 1000)} s, at most ${limit} s are allowed`,
  ],
  'repair:made': ({ jobName, what }) => ['warn', `Job '${jobName}' was mended: ${what}`],
  'fire:corrected': ({ jobName, shardingItem, stored }) => [
    'warn',
    `Job '${jobName}' item ${shardingItem} had a fire time in the future, ${new Date(stored).toISOString()}: some clock was wrong`,
  ],
  'guarantee:timed-out': ({ jobName, phase, fireTime, missing }) => [
    'warn',
    `Job '${jobName}' waits no longer for its round of ${new Date(fireTime).toISOString()} to be ${phase}: ` +
      (missing.length === 0 ? 'its listeners have not ended' : `it lacks ${itemsText(missing)}`),
  ],
  'guarantee:broken': ({ jobName, phase, fireTime, reason }) => [
    'warn',
    `Job '${jobName}' does not tell its listeners that its round of ${new Date(fireTime).toISOString()} was ${phase}: ${reason}`,
  ],
  'registry:suspended': ({ reason }) => [
    'warn',
    `The registry is out of reach, jobs wait for it: ${textOf(reason)}`,
  ],
  'registry:resumed': () => ['info', 'The registry is back'],
  'registry:renewed': ({ instance }) => [
    'warn',
    `The session was lost; this instance goes on as ${instance}`,
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
    `Dumps of ${jobName === undefined ? 'jobs' : `job '${jobName}'`} cannot be had at ${host}:${port}: ${textOf(error)}`,
  ],
  'error:unhandled': ({ jobName, error }) => [
    'error',
    `${jobName === undefined ? 'The scheduler' : `Job '${jobName}'`} has a problem: ${textOf(error)}`,
  ],
}

/** The line for an event; undefined for one that only programs care about. */
export function logLineOf<Name extends keyof ElasticJobEvents>(
  name: Name,
  payload: ElasticJobEvents[Name][0],
): Line | undefined {
  return lines[name]?.(payload)
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function timesFrom(first: number, last: number): string {
  const [from, to] = [first, last].map((time) => new Date(time).toISOString())
  return first === last ? `at ${from}` : `at its times from ${from} to ${to}`
}

function itemsText(items: readonly number[]): string {
  if (items.length === 0) return 'no items'
  return `${items.length === 1 ? 'item' : 'items'} ${rangesOf(items)}`
}

/** `0-3, 7, 9-10`: a thousand items fit into a line. */
export function rangesOf(items: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const item of items) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === item - 1) last[1] = item
    else ranges.push([item, item])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
