/** What the registry said of a job while it ran: schedule, shards, owners, members and operators' commands. */
import type { History } from './history.ts'
import type { Transaction } from './registry.ts'
import { namespace } from './scenario.ts'

type NodeChange = Extract<Transaction['body'], { path: string }>

/** When something came about: by the registry's clock, by the simulation's, and in the order of transactions. */
export interface Moment {
  readonly time: number
  readonly at: number
  readonly order: number
}

/** By the registry's time; the end is not in it. */
export interface Period {
  readonly from: number
  to: number
  readonly begun: Moment
  ended: Moment | undefined
}

/** The configuration of a job for a while. */
export interface ConfigSpan extends Period {
  /** Milliseconds between fire times. */
  readonly step: number
  readonly total: number
  readonly misfire: boolean
  readonly strategy: string
  readonly staticSharding: boolean
  /** Fire times until then are not due: the schedule was changed. */
  since: number
  /** Whether the job's state has ever told of its schedule: another tool may replace it before anybody sees it. */
  isNoted: boolean
}

/** A value that a node had from a moment on; undefined while it does not exist. */
export interface Value {
  readonly moment: Moment
  readonly text: string | undefined
}

/** A manual run, as the job's state tells it. */
export interface ManualRun {
  readonly id: number
  readonly instances?: readonly string[]
  readonly items?: readonly number[]
}

/** A manual run that is complete, by the account of the product. */
export interface CompletedRun {
  readonly run: ManualRun
  readonly begun: Moment
  readonly completed: Moment
}

/** Within so many milliseconds a leader notices that the schedule is another. */
const noticed = 60_000

export class JobLog {
  readonly jobName: string
  readonly configs: ConfigSpan[] = []
  /** When each shard was there. */
  readonly shards = new Map<number, Period[]>()
  /** When each shard was disabled. */
  readonly disabled = new Map<number, Period[]>()
  /** When the whole job was paused, and when on each server. */
  readonly paused: Period[] = []
  readonly pausedServers = new Map<string, Period[]>()
  readonly disabledServers = new Map<string, Period[]>()
  /** When the whole job was disabled by one command. */
  readonly disabledJob: Period[] = []
  /** When all of its servers were disabled, and with them the job. */
  readonly disabledEverywhere: Period[] = []
  /** Whether each server is disabled now. */
  readonly #servers = new Map<string, boolean>()
  /** When each instance took part. */
  readonly instances = new Map<string, Period[]>()
  readonly owners = new Map<number, Value[]>()
  readonly offsets = new Map<number, Value[]>()
  readonly completedRuns: CompletedRun[] = []
  /** What may make shards move: who takes part, what is configured, what is asked for. */
  readonly causes: Moment[] = []
  /** How often shards were assigned for other inputs: shards that move after their run write the assignment, too. */
  reshardings = 0
  #digest: string | undefined
  #running: { readonly run: ManualRun; readonly begun: Moment } | undefined

  constructor(jobName: string) {
    this.jobName = jobName
  }

  configAt(time: number): ConfigSpan | undefined {
    return this.configs.find(({ from, to }) => from <= time && time < to)
  }

  /** A node below `/{namespace}/{jobName}`. */
  takeNode(change: NodeChange, [folder = '', name = '', mark]: readonly string[], moment: Moment) {
    const exists = change.kind !== 'delete'
    const isNew = change.kind === 'delete' || change.kind === 'create'
    switch (folder) {
      case 'config':
        if (exists) this.#configured(textOf(change), moment)
        break
      case 'servers':
        if (name === '') break
        this.#server(name, exists ? textOf(change) : undefined, moment)
        this.causes.push(moment)
        break
      case 'instances':
        if (name === '' || !isNew) break
        note(periodsOf(this.instances, name), exists, moment)
        this.causes.push(moment)
        break
      case 'leader':
        if (mark === 'necessary' || name === 'election') this.causes.push(moment)
        if (name === 'sharding' && mark === undefined && exists)
          this.#assigned(valueOf(change, moment).text)
        break
      case 'offset':
        if (name !== '') valuesOf(this.offsets, Number(name)).push(valueOf(change, moment))
        break
      case 'sharding':
        if (name !== '') this.#shard(change, Number(name), mark, moment)
        break
    }
  }

  #assigned(text: string | undefined): void {
    const { digest } = JSON.parse(text === undefined || text === '' ? '{}' : text) as {
      digest?: string
    }
    if (digest !== undefined && digest !== this.#digest) this.reshardings += 1
    this.#digest = digest
  }

  #server(ip: string, status: string | undefined, moment: Moment): void {
    const isDisabled = status === 'DISABLED'
    note(periodsOf(this.disabledServers, ip), isDisabled, moment)
    if (status === undefined) this.#servers.delete(ip)
    else this.#servers.set(ip, isDisabled)
    const all = [...this.#servers.values()]
    note(this.disabledEverywhere, all.length > 0 && all.every(Boolean), moment)
  }

  #shard(change: NodeChange, shard: number, mark: string | undefined, moment: Moment): void {
    const exists = change.kind !== 'delete'
    if (mark === undefined) note(periodsOf(this.shards, shard), exists, moment)
    else if (mark === 'disabled') note(periodsOf(this.disabled, shard), exists, moment)
    else if (mark === 'instance') valuesOf(this.owners, shard).push(valueOf(change, moment))
  }

  /** The job's state, below `/{namespace}.state/jobs`. */
  takeState(change: NodeChange, moment: Moment): void {
    const state = JSON.parse(textOf(change) || '{}') as JobState
    const last = this.configs.at(-1)
    const since = state.schedule?.since ?? 0
    if (last !== undefined && since <= last.from + noticed) last.since = Math.max(last.since, since)
    this.#noteSchedules(state.timeline ?? [])
    note(this.paused, state.paused === true, moment)
    note(this.disabledJob, state.disabled === true, moment)
    const paused = new Set(state.pausedServers)
    for (const ip of paused) note(periodsOf(this.pausedServers, ip), true, moment)
    for (const [ip, periods] of this.pausedServers)
      if (!paused.has(ip)) note(periods, false, moment)
    if (this.#running?.run.id !== state.running?.id) {
      const { previous } = state
      if (this.#running !== undefined && previous?.id === this.#running.run.id) {
        this.completedRuns.push({ ...this.#running, completed: moment })
      }
      this.#running = state.running && { run: state.running, begun: moment }
    }
  }

  /** What held before the present schedule is known by its beginning. */
  #noteSchedules(timeline: readonly ScheduleSpan[]): void {
    const last = this.configs.at(-1)
    for (const span of timeline) {
      const isLast = span === timeline.at(-1)
      for (const config of this.configs) {
        const isSame = stepIn(span.cron ?? '') === config.step && span.total === config.total
        config.isNoted ||= isSame && (span.from === config.from || (isLast && config === last))
      }
    }
  }

  #configured(text: string, moment: Moment): void {
    const before = this.configs.at(-1)
    const valueIn = (key: string): string | undefined =>
      new RegExp(`^${key}: (.*)$`, 'm').exec(text)?.[1]
    const step = stepIn(valueIn('cron') ?? '')
    const isSameSchedule = before?.step === step
    if (before !== undefined) {
      before.to = moment.time
      before.ended = moment
    }
    this.causes.push(moment)
    this.configs.push({
      from: moment.time,
      to: Infinity,
      begun: moment,
      ended: undefined,
      step,
      total: Number(valueIn('shardingTotalCount') ?? 0),
      misfire: valueIn('misfire') !== 'false',
      strategy: valueIn('jobShardingStrategyType') ?? '',
      staticSharding: valueIn('staticSharding') === 'true',
      since: isSameSchedule ? before.since : moment.time,
      isNoted: before === undefined,
    })
  }
}

/** Milliseconds between the fire times of a cron expression; 0 for none. */
function stepIn(cron: string): number {
  return Number(/0\/(\d+)/.exec(cron)?.[1] ?? 0) * 1000
}

/** A schedule that held from a moment on. */
interface ScheduleSpan {
  readonly from: number
  readonly cron?: string
  readonly total: number
}

/** What the job's state says of it. */
interface JobState {
  readonly timeline?: readonly ScheduleSpan[]
  readonly schedule?: { readonly since: number }
  readonly paused?: boolean
  readonly disabled?: boolean
  readonly pausedServers?: readonly string[]
  readonly running?: ManualRun
  readonly previous?: ManualRun
}

const read = new WeakMap<History['transactions'], ReadonlyMap<string, JobLog>>()

/** The logs of all jobs, from one look at all transactions. */
export function jobLogsOf(history: History): ReadonlyMap<string, JobLog> {
  const known = read.get(history.transactions)
  if (known !== undefined) return known
  const logs = new Map(
    history.expected.map(({ jobName }) => [jobName, new JobLog(jobName)] as const),
  )
  for (const [index, { body, time }] of history.transactions.entries()) {
    const moment: Moment = {
      time,
      at: history.committedAt[index] ?? 0,
      order: history.orders[index] ?? 0,
    }
    if (body.kind === 'closeSession') {
      for (const path of body.ephemerals) take(logs, { kind: 'delete', path }, moment)
    } else if (body.kind === 'multi') {
      for (const change of body.changes) take(logs, change, moment)
    } else if ('path' in body) take(logs, body, moment)
  }
  read.set(history.transactions, logs)
  return logs
}

function take(logs: ReadonlyMap<string, JobLog>, change: NodeChange, moment: Moment): void {
  // Permissions change nothing of what a node says.
  if (change.kind === 'setAcl') return
  const [, root, first = '', ...rest] = change.path.split('/')
  if (root === namespace) logs.get(first)?.takeNode(change, rest, moment)
  else if (first === 'jobs' && rest.length === 1) logs.get(rest[0] ?? '')?.takeState(change, moment)
}

function textOf(change: NodeChange): string {
  return 'data' in change && change.data !== null ? Buffer.from(change.data).toString() : ''
}

function valueOf(change: NodeChange, moment: Moment): Value {
  return { moment, text: change.kind === 'delete' ? undefined : textOf(change) }
}

function periodsOf<K>(all: Map<K, Period[]>, key: K): Period[] {
  const periods = all.get(key) ?? []
  all.set(key, periods)
  return periods
}

function valuesOf<K>(all: Map<K, Value[]>, key: K): Value[] {
  const values = all.get(key) ?? []
  all.set(key, values)
  return values
}

/** It begins, goes on or ends. */
function note(periods: Period[], isOn: boolean, moment: Moment): void {
  const last = periods.at(-1)
  const isOpen = last?.ended === undefined && last !== undefined
  if (isOn && !isOpen) {
    periods.push({ from: moment.time, to: Infinity, begun: moment, ended: undefined })
  } else if (!isOn && isOpen) {
    last.to = moment.time
    last.ended = moment
  }
}

/** The value of a node when a transaction had been committed. */
export function valueAt(values: readonly Value[] | undefined, order: number): string | undefined {
  return values?.findLast(({ moment }) => moment.order <= order)?.text
}

/** Whether something held when a transaction was committed. */
export function heldAt(periods: readonly Period[] | undefined, order: number): Period | undefined {
  return periods?.find(
    ({ begun, ended }) => begun.order < order && order <= (ended?.order ?? Infinity),
  )
}
