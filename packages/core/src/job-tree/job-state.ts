/**
 * The job state: what all instances have to know of a job and Java has no node for. It is one node, so that one watch
 * reports every change and one version makes any two changes exclusive.
 */
import { mostShards } from '../config/job-limits.ts'
import { CronError } from '../cron/cron-error.ts'
import { parseCron } from '../cron/cron.ts'
import { findZone } from '../cron/zone-names.ts'
import { decodeJson } from '../decode/json.ts'
import type { Decoded } from '../decode/problem.ts'
import {
  flag,
  integer,
  listOf,
  mapOf,
  Mismatch,
  object,
  oneOf,
  type Shape,
  text,
  time,
} from '../decode/shape.ts'
import { message } from '../message.ts'

/** One request to run shards now. */
export interface ManualRun {
  /** Increases with every manual run of the job. */
  readonly id: number
  /** When it was requested, in registry time. */
  readonly asked: number
  /** Replaces `jobParameter` for this manual run. */
  readonly parameter?: string
  /** The instances whose shards are to run; all when absent. */
  readonly instances?: readonly string[]
  /** The shards to run; all when absent. */
  readonly shards?: readonly number[]
}

interface Schedule {
  /** Identifies the cron expression and time zone. */
  readonly digest: string
  /** No fire time up to this moment is due. */
  readonly since: number
}

/** A schedule with its shard count. */
export interface ScheduleSpan {
  /** When it took effect; no fire time up to this moment belongs to it. */
  readonly from: number
  /** Absent for a job without a schedule. */
  readonly cron?: string
  readonly timeZone?: string
  readonly total: number
}

/** A period in which no fire was to happen: fire times after `from`, up to and including `to`. */
export interface OffPeriod {
  readonly why: 'paused' | 'disabled'
  readonly from: number
  /** Absent while the period lasts. */
  readonly to?: number
  /** Absent if the period applies to every server. */
  readonly server?: string
}

export interface JobState {
  readonly schedule?: Schedule
  /**
   * From the oldest span with fire times that may not be accounted for to the one in effect; absent in a state that an
   * earlier version stored.
   */
  readonly timeline?: readonly ScheduleSpan[]
  /** Open periods, and closed ones that the account of a shard may still need. */
  readonly off?: readonly OffPeriod[]
  /** The id of the last requested manual run. */
  readonly lastRound: number
  readonly running?: ManualRun
  readonly pending?: ManualRun
  /** The last completed manual run. */
  readonly previous?: ManualRun
  /** Cron fires of the whole job are off. */
  readonly paused?: boolean
  /** Cron fires are off on these servers. */
  readonly pausedServers?: readonly string[]
  /** An operator has disabled the job, and no server was enabled since: a new server of the job starts disabled. */
  readonly disabled?: boolean
  /** When a pause of the whole job was last lifted. */
  readonly resumed?: number
  /** When the pause of a server was last lifted, by its address. */
  readonly resumedServers?: Readonly<Record<string, number>>
  /** Runs that an operator wants to end: their ids, by shard. */
  readonly stops?: Readonly<Record<string, string>>
  /** Instances that an operator has asked to leave the job; they stay listed until their server takes part again. */
  readonly shutdown?: readonly string[]
  /** Since when enabled servers are empty, by their address: the leader removes a server that stays empty. */
  readonly emptyServers?: Readonly<Record<string, number>>
  /**
   * Instances that take no part because `maxTimeDiffSeconds` refuses their clock: by how many milliseconds it is ahead
   * of the registry's, by id. An entry counts while its instance is alive.
   */
  readonly refusedClocks?: Readonly<Record<string, number>>
  /** The job is being removed: no instance may register or claim. */
  readonly removing?: boolean
}

export const noJobState: JobState = Object.freeze({ lastRound: 0 })

/** The stored form: the shards of a manual run have the key `items`. */
interface StoredManualRun extends Omit<ManualRun, 'shards'> {
  readonly items?: readonly number[]
}

type ManualRunKey = 'running' | 'pending' | 'previous'

type StoredJobState = Omit<JobState, ManualRunKey> & {
  readonly [key in ManualRunKey]?: StoredManualRun
}

export function encodeJobState(jobState: JobState): string {
  const { running, pending, previous } = jobState
  return JSON.stringify({
    ...jobState,
    running: storedManualRun(running),
    pending: storedManualRun(pending),
    previous: storedManualRun(previous),
  })
}

function storedManualRun(round: ManualRun | undefined): StoredManualRun | undefined {
  if (round === undefined) return undefined
  const { shards, ...others } = round
  return shards === undefined ? others : { ...others, items: shards }
}

function loadedManualRun<Key extends ManualRunKey>(
  key: Key,
  round: StoredManualRun | undefined,
): { readonly [key in Key]?: ManualRun } {
  if (round === undefined) return {}
  const { items: shards, ...others } = round
  const chosen: Pick<ManualRun, 'shards'> = shards === undefined ? {} : { shards }
  return { [key]: { ...others, ...chosen } } as { readonly [key in Key]?: ManualRun }
}

/** More servers or instances than any job has. */
const mostMembers = 10_000

/** More changes of a job than the account of any shard needs. */
const mostSpans = 10_000

/** Every count of fire times parses the expression, so an invalid one is refused here. */
const cronText: Shape<string> = (value, at) => {
  const expression = text(value, at)
  try {
    parseCron(expression)
    return expression
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    throw new Mismatch(at, value, message('kind-cron'))
  }
}

const zone: Shape<string> = (value, at) => {
  const name = text(value, at)
  if (findZone(name) !== undefined) return name
  throw new Mismatch(at, value, message('kind-zone'))
}

const round: Shape<StoredManualRun> = object<StoredManualRun>(
  {
    id: integer(0),
    asked: time,
    parameter: text,
    instances: listOf(text, mostMembers),
    items: listOf(integer(0), mostShards),
  },
  ['id', 'asked'],
)

const shape: Shape<Partial<StoredJobState>> = object<Partial<StoredJobState>>(
  {
    schedule: object<Schedule>({ digest: text, since: time }, ['digest', 'since']),
    timeline: listOf(
      object<ScheduleSpan>(
        { from: time, cron: cronText, timeZone: zone, total: integer(0, mostShards) },
        ['from', 'total'],
      ),
      mostSpans,
    ),
    off: listOf(
      object<OffPeriod>({ why: oneOf('paused', 'disabled'), from: time, to: time, server: text }, [
        'why',
        'from',
      ]),
      mostSpans,
    ),
    lastRound: integer(0),
    running: round,
    pending: round,
    previous: round,
    paused: flag,
    pausedServers: listOf(text, mostMembers),
    disabled: flag,
    resumed: time,
    resumedServers: mapOf(time, mostMembers),
    stops: mapOf(text, mostShards),
    shutdown: listOf(text, mostMembers),
    emptyServers: mapOf(time, mostMembers),
    refusedClocks: mapOf(integer(Number.MIN_SAFE_INTEGER), mostMembers),
    removing: flag,
  },
  [],
)

/** The job state in a node's data, or why it cannot be read. */
export function decodeJobState(data: string, path: string): Decoded<JobState> {
  if (data === '') return { value: noJobState }
  const { value, problem } = decodeJson(data, path, shape)
  if (problem !== undefined) return { problem }
  const { running, pending, previous, ...others } = value
  return {
    value: {
      ...noJobState,
      ...others,
      ...loadedManualRun('running', running),
      ...loadedManualRun('pending', pending),
      ...loadedManualRun('previous', previous),
    },
  }
}

/** Whether cron fires are off on a server. */
export function isPaused(jobState: JobState, ip: string): boolean {
  return jobState.paused === true || jobState.pausedServers?.includes(ip) === true
}

/** When a pause that applied to a server was last lifted; 0 if none was. */
export function resumedOn(jobState: JobState, ip: string): number {
  return Math.max(jobState.resumed ?? 0, jobState.resumedServers?.[ip] ?? 0)
}
