/**
 * 3, also during the troubles: every fire time of every enabled shard ran, was merged into a misfire run, or
 * was reported. Of jobs that are shared with Java nobody can say it: Java writes nothing down.
 */
import { byShard } from './by-shard.ts'
import { heardAt } from './forbidden.ts'
import type { History, Loss, Violation, StateChange } from './history.ts'
import { type JobLog, jobLogsOf, type Period } from './job-log.ts'
import { missedFiresOf, scheduledRuns } from './reports.ts'

/** Of a fire time that is younger in the end nobody has to know yet. */
const openFor = 60_000
/** A command that comes so shortly after a fire time meets a claim that is under way, and undoes it. */
const meanwhile = 1000
/** What a registry has lost may be a fire time that was claimed, or due, so long before. */
const lossWindow = 60_000
/** A clock that goes back by more was set, as documented. */
const setBack = 5000

export function forgottenFires(history: History): Violation[] {
  const reports = reportsOf(history)
  const shards = byShard(history.states)
  const end = history.assignment + history.end + history.registryAhead
  return history.expected
    .filter(({ isMixed, monitorExecution }) => !isMixed && monitorExecution)
    .flatMap(({ jobName }) => {
      const log = jobLogsOf(history).get(jobName)
      if (log === undefined) return []
      return [...log.shards.keys()].flatMap((shard) => {
        const key = `${jobName}/${shard}`
        const known = reports.get(key)
        const states = shards.get(key) ?? []
        const forgotten = dueTimes(history, log, shard, states, end - openFor).filter(
          (time) => known?.has(time) !== true,
        )
        const [first] = forgotten
        if (first === undefined) return []
        const all = forgotten.map((time) => time - history.assignment).join(', ')
        const text = `nobody ran ${key} at ${all}, or said why`
        return [{ rule: '3', at: first - history.assignment, text, jobName, shard }]
      })
    })
}

/** The times at which a shard has to run, unless somebody says why it did not. */
function dueTimes(
  history: History,
  log: JobLog,
  shard: number,
  states: readonly StateChange[],
  end: number,
): number[] {
  const losses = history.losses.map((loss) => lostBy(loss, states))
  const disabled = (log.disabled.get(shard) ?? []).map((one) =>
    untilHeard(history, log, shard, one),
  )
  const off = [...disabled, ...log.paused, ...log.disabledEverywhere]
  const there = log.shards.get(shard) ?? []
  const times: number[] = []
  for (const { since, from, to, step, total, isNoted } of log.configs) {
    if (shard >= total || step === 0) continue
    // What another tool stored and replaced before anybody saw it has left no trace.
    if (!isNoted && to < Infinity) continue
    const last = Math.min(to - meanwhile, end)
    const first = Math.max(since, from)
    for (let time = (Math.floor(first / step) + 1) * step; time <= last; time += step) {
      const isThere = there.some((one) => one.from < time && time < one.to - meanwhile)
      const isOff =
        off.some((one) => covers(one, time)) || isOwnerPaused(history, log, shard, states, time)
      const isAgain = isNotRepeated(history, states, time)
      const isLost = losses.some((one) => one.from <= time && time < one.to)
      if (isThere && !isOff && !isAgain && !isLost) times.push(time)
    }
  }
  return times
}

/** Fire times that the registry has lost: those of the last minute, and what was open already before that. */
function lostBy({ at, time }: Loss, states: readonly StateChange[]): { from: number; to: number } {
  const before = states.findLast((change) => change.at < at - lossWindow)?.shardState
  const accounted = before === undefined ? 0 : Math.max(before.fireTime, before.since ?? 0)
  return { from: Math.min(accounted, time - lossWindow), to: time }
}

/** Whether a fire time falls into a period, or a claim for it does. */
function covers({ from, to }: Pick<Period, 'from' | 'to'>, time: number): boolean {
  return from - meanwhile < time && time <= to
}

/**
 * Until when a shard counts as disabled: an owner that learns of the `disabled` node when it is gone already cannot
 * read when it was created, and counts the shard as disabled until it learns that it is enabled.
 */
function untilHeard(
  { told, heard }: History,
  { owners }: JobLog,
  shard: number,
  { from, to, begun, ended }: Period,
): Pick<Period, 'from' | 'to'> {
  if (ended === undefined) return { from, to }
  const owner = owners.get(shard)?.findLast(({ moment }) => moment.order <= ended.order)?.text ?? ''
  const registered = told.find(
    ({ name, text }) => name === 'job:registered' && text.includes(`"${owner}"`),
  )
  const known = heard.get(registered?.process ?? '') ?? []
  const heardOf = heardAt(known, begun.order) ?? -Infinity
  if (heardOf < ended.at) return { from, to }
  return { from, to: to + (heardAt(known, ended.order) ?? ended.at) - ended.at }
}

/**
 * Whether a fire time comes again, after the clock was set back, and does not count: nothing is repeated if the clock was
 * set back by little, nor while a run of the shard is under way, after which its state is corrected.
 */
function isNotRepeated(
  { clockJumps, assignment }: History,
  states: readonly StateChange[],
  time: number,
): boolean {
  return clockJumps.some(({ at, ahead }, index) => {
    const before = clockJumps[index - 1]?.ahead ?? 0
    const comes = time - assignment - ahead
    if (before <= ahead || comes < at) return false
    if (before - ahead <= setBack) return time <= assignment + at + before
    const { shardState } = states.findLast((change) => change.at <= comes + meanwhile) ?? {}
    const isUnderWay = shardState?.state === 'running' || shardState?.state === 'crashed'
    return isUnderWay && Math.max(shardState.fireTime, shardState.since ?? 0) >= time
  })
}

/** What a clock that is set forward passes over comes at one moment, of which instances learn by their next write. */
function untilNoticed({ clockJumps, assignment }: History, time: number): number {
  const jump = clockJumps.find(({ at, ahead }, index) => {
    const before = assignment + at + (clockJumps[index - 1]?.ahead ?? 0)
    return before < time && time <= assignment + at + ahead
  })
  return jump === undefined ? time : assignment + jump.at + jump.ahead + setBack
}

/**
 * Whether cron is paused on the server whose shard it is then. A takeover records the server of the owner when it
 * begins: if the shard moves before it ends, the servers of both count.
 */
function isOwnerPaused(
  history: History,
  { owners, pausedServers }: JobLog,
  shard: number,
  states: readonly StateChange[],
  time: number,
): boolean {
  if (pausedServers.size === 0) return false
  const values = owners.get(shard) ?? []
  const texts = [time, time + meanwhile, untilNoticed(history, time)].map(
    (moment) => values.findLast((value) => value.moment.time <= moment)?.text,
  )
  const taken = states.findLastIndex(({ shardState }) => shardState.begin <= time)
  const isTaken = (states[taken]?.shardState.attempt ?? 0) > 1
  if (isTaken) {
    const ended = states.slice(taken).find(({ shardState }) => shardState.state !== 'running')
    const during = values.filter(
      ({ moment }) => moment.time > time && moment.order <= (ended?.order ?? Infinity),
    )
    texts.push(...during.map(({ text }) => text))
  }
  return texts.some((owner = '') => {
    const periods = pausedServers.get(owner.split('@-@')[0] ?? '')
    return periods?.some((one) => covers(one, time)) === true
  })
}

/** What was run or told of, by shard. */
class Reports {
  readonly #times = new Set<number>()
  readonly #rows: (readonly [number, number])[] = []

  add(time: number): void {
    this.#times.add(time)
  }

  /** All from the first to the last. */
  addRow(first: number, last: number): void {
    if (last >= first) this.#rows.push([first, last])
  }

  has(time: number): boolean {
    return (
      this.#times.has(time) || this.#rows.some(([first, last]) => first <= time && time <= last)
    )
  }
}

function reportsOf(history: History): Map<string, Reports> {
  const all = new Map<string, Reports>()
  const of = (jobName: string, shard: number): Reports => {
    const key = `${jobName}/${shard}`
    const reports = all.get(key) ?? new Reports()
    all.set(key, reports)
    return reports
  }
  for (const { jobName, shard, fireTime } of scheduledRuns(history))
    of(jobName, shard).add(fireTime)
  for (const { jobName, shard, first, last } of missedFiresOf(
    history,
    'fire:missed',
    'fire:skipped',
    'run:abandoned',
  )) {
    of(jobName, shard).addRow(first, last)
  }
  const shards = byShard(history.states)
  for (const changes of shards.values()) {
    const [{ jobName, shard }] = changes as [StateChange]
    const log = jobLogsOf(history).get(jobName)
    if (log !== undefined) knownByState(history, log, changes, of(jobName, shard))
  }
  return all
}

/** What the states of a shard tell of its fire times. */
function knownByState(
  history: History,
  log: JobLog,
  changes: readonly StateChange[],
  reports: Reports,
): void {
  const begun = new Set(history.runs.map(({ runId }) => runId))
  let before: StateChange['shardState'] | undefined
  let claimed: StateChange['shardState'] | undefined
  for (const { shardState } of changes) {
    // The registry knows that it was given up, whoever could not tell it any more.
    if (shardState.state === 'abandoned' || shardState.outcome === 'stopped')
      reports.add(shardState.fireTime)
    const hasRun = shardState.state === 'idle' || shardState.outcome === 'aborted'
    const isRun = hasRun && shardState.end >= shardState.begin
    const isDropped = [shardState.begin, shardState.end].some(
      (time) => log.configAt(time)?.misfire === false,
    )
    if (isRun && isDropped) reports.addRow(shardState.begin, shardState.end)
    if (shardState.state === 'running' && shardState.run !== claimed?.run) {
      // All that came while the run before went on are one misfire.
      if (shardState.source === 'misfire' && claimed !== undefined) {
        reports.addRow(claimed.begin, Math.min(shardState.fireTime, before?.end ?? 0))
      }
      // Who claims a time tells which ones are gone with it when its code begins; one that has died cannot.
      if (!begun.has(shardState.run) && isGoneAtLast(history, shardState.instance)) {
        reports.addRow((before?.fireTime ?? 0) + 1, shardState.fireTime - 1)
      }
      claimed = shardState
    }
    before = shardState
  }
}

function isGoneAtLast({ sessionOf, closed }: History, instance: string): boolean {
  const session = sessionOf.get(instance)
  return session === undefined || closed.has(session)
}
