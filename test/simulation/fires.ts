/**
 * 3, also during the troubles: every scheduled time of every enabled item ran, or somebody said that it
 * did not. Of jobs that are shared with Java nobody can say it: Java writes nothing down.
 */
import type { History, Violation, WordChange } from './history.ts'
import { JobSchedule } from './schedules.ts'

/**
 * So long, at least, a time is open; and until the next claim of its item, which tells what is gone with it.
 * What is changed meanwhile may take it away: an item that goes, is switched off or paused, another schedule.
 */
const openFor = 60_000

export function forgottenFires(history: History): Violation[] {
  const reports = reportsOf(history)
  const claims = claimsOf(history)
  const end = history.epoch + history.end + history.registryAhead
  return history.expected
    .filter(({ isMixed, monitorExecution }) => !isMixed && monitorExecution)
    .flatMap(({ jobName }) => {
      const schedule = new JobSchedule(history, jobName)
      return [...schedule.items.keys()].flatMap((item) => {
        const key = `${jobName}/${item}`
        const begun = claims.get(key) ?? []
        const until = (time: number): number =>
          Math.max(time + openFor, begun.find((begin) => begin > time) ?? end)
        const covered = reports.get(key)
        const forgotten = timesOf(schedule, item, until, end - openFor).filter(
          (time) => covered?.has(time) !== true,
        )
        const [first] = forgotten
        if (first === undefined) return []
        const times = forgotten.map((time) => time - history.epoch).join(', ')
        const text = `nobody ran ${key} at ${times}, or said why`
        return [{ rule: '3', at: first - history.epoch, text, jobName, item }]
      })
    })
}

/** The times at which an item has to run, unless somebody says why it did not. */
function timesOf(
  { spans, totals, items, disabled, paused }: JobSchedule,
  item: number,
  until: (time: number) => number,
  end: number,
): number[] {
  const there = items.get(item) ?? []
  const surplus = totals.filter(({ total }) => item >= total)
  // A mark that is gone does not say since when: its owner counts from when it hears of it.
  const unheard = (disabled.get(item) ?? []).map(({ from, to }) => ({ from, to: to + openFor }))
  const off = [...unheard, ...paused, ...surplus]
  const times: number[] = []
  for (const { since, to, step } of spans) {
    const last = Math.min(to, end)
    for (let time = (Math.floor(since / step) + 1) * step; time <= last; time += step) {
      const open = until(time)
      const isThere = there.some((one) => one.from < time && open < one.to)
      const isOff = off.some((one) => one.from < open && time < one.to)
      if (open < to && isThere && !isOff) times.push(time)
    }
  }
  return times
}

/** When each item was claimed, in that order. */
function claimsOf({ words }: History): Map<string, number[]> {
  const claims = new Map<string, number[]>()
  for (const { jobName, item, word } of words) {
    if (word.state !== 'running') continue
    const key = `${jobName}/${item}`
    const begun = claims.get(key)
    if (begun === undefined) claims.set(key, [word.begin])
    else begun.push(word.begin)
  }
  return claims
}

/** What was run or told of, by item. */
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
  const of = (jobName: string, item: number): Reports => {
    const key = `${jobName}/${item}`
    const reports = all.get(key) ?? new Reports()
    all.set(key, reports)
    return reports
  }
  for (const { jobName, item, fireTime } of history.runs) of(jobName, item).add(fireTime)
  for (const { name, text } of history.told) {
    if (name !== 'fire:missed' && name !== 'run:abandoned') continue
    const { jobName, shardingItem, fireTime, first = fireTime } = JSON.parse(text) as Report
    of(jobName, shardingItem).addRow(first, fireTime)
  }
  for (const change of history.words) ranMeanwhile(change, of(change.jobName, change.item))
  for (const { jobName, item, first, last } of untold(history))
    of(jobName, item).addRow(first, last)
  return all
}

interface Row {
  readonly jobName: string
  readonly item: number
  readonly first: number
  readonly last: number
}

/** Who claims a time tells which ones are gone with it, when its code begins: if it died before, nobody does. */
function untold({ words, runs }: History): Iterable<Row> {
  const begun = new Set(runs.map(({ runId }) => runId))
  const before = new Map<string, number>()
  const rows = new Map<string, Row>()
  for (const { jobName, item, word } of words) {
    const key = `${jobName}/${item}`
    const first = (before.get(key) ?? 0) + 1
    before.set(key, word.fireTime)
    if (begun.has(word.run)) continue
    if (word.outcome === 'not-started') rows.delete(word.run)
    else if (word.state === 'running' && !rows.has(word.run)) {
      rows.set(word.run, { jobName, item, first, last: word.fireTime - 1 })
    }
  }
  return rows.values()
}

interface Report {
  readonly jobName: string
  readonly shardingItem: number
  readonly first?: number
  readonly fireTime: number
}

/** What comes while an item runs becomes one run when it ends, or none: that is what misfire says. */
function ranMeanwhile({ word }: WordChange, reports: Reports): void {
  if (word.end >= word.begin) reports.addRow(word.begin, word.end)
  // The registry knows that it was given up, whoever could not tell it any more.
  if (word.state === 'abandoned' || word.outcome === 'stopped') reports.add(word.fireTime)
}
