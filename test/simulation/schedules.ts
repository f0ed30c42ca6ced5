/** What the registry said of a job while it ran: when which times were scheduled, and for which items. */
import type { History } from './history.ts'
import type { Transaction } from './registry.ts'
import { namespace } from './scenario.ts'

type NodeChange = Extract<Transaction['body'], { path: string }>

/** By the registry's time; the end is not in it. */
export interface Period {
  readonly from: number
  to: number
}

/** The schedule of a job for a while. */
export interface ScheduleSpan extends Period {
  /** Milliseconds between fires. */
  readonly step: number
  /** Nothing until then is due. Of two edits before the first is noticed the time of the second counts. */
  since: number
}

/** Within so many milliseconds a leader notices that the schedule is another. */
const noticed = 60_000

export class JobSchedule {
  readonly spans: ScheduleSpan[] = []
  /** When there were how many items. */
  readonly totals: (Period & { readonly total: number })[] = []
  /** When each item was there. */
  readonly items = new Map<number, Period[]>()
  /** When each item was switched off. */
  readonly disabled = new Map<number, Period[]>()
  /** When the job was paused, or some server of it. */
  readonly paused: Period[] = []
  readonly #root: string
  readonly #word: string

  constructor({ transactions }: History, jobName: string) {
    this.#root = `/${namespace}/${jobName}/`
    this.#word = `/${namespace}.state/jobs/${jobName}`
    for (const { body, time } of transactions) {
      const changes = body.kind === 'multi' ? body.changes : 'path' in body ? [body] : []
      for (const change of changes) this.#take(change, time)
    }
  }

  #take(change: NodeChange, time: number): void {
    const { path } = change
    const text = 'data' in change && change.data !== null ? Buffer.from(change.data).toString() : ''
    if (path === this.#word) {
      const word = JSON.parse(text || '{}') as Word
      this.#stamped(word.schedule?.since ?? 0)
      this.#paused(word, time)
    }
    if (!path.startsWith(this.#root)) return
    const [folder, item, mark] = path.slice(this.#root.length).split('/')
    if (folder === 'config') this.#configured(text, time)
    if (folder !== 'sharding' || item === undefined) return
    const periods =
      mark === undefined ? this.items : mark === 'disabled' ? this.disabled : undefined
    if (periods !== undefined)
      note(periodsOf(periods, Number(item)), change.kind !== 'delete', time)
  }

  #configured(text: string, time: number): void {
    const total = Number(/^shardingTotalCount: (\d+)/m.exec(text)?.[1] ?? 0)
    const before = this.totals.at(-1)
    if (before?.total !== total) {
      if (before !== undefined) before.to = time
      this.totals.push({ total, from: time, to: Infinity })
    }
    const step = Number(/^cron: .*?0\/(\d+)/m.exec(text)?.[1] ?? 0) * 1000
    const last = this.spans.at(-1)
    if (last?.step === step) return
    if (last !== undefined) last.to = time
    this.spans.push({ step, from: time, to: Infinity, since: time })
  }

  #stamped(since: number): void {
    const last = this.spans.at(-1)
    if (last === undefined || since > last.from + noticed) return
    last.since = Math.max(last.since, since)
  }

  #paused({ paused, pausedServers }: Word, time: number): void {
    note(this.paused, paused === true || (pausedServers?.length ?? 0) > 0, time)
  }
}

/** What the job's word says of it. */
interface Word {
  readonly schedule?: { readonly since: number }
  readonly paused?: boolean
  readonly pausedServers?: readonly string[]
}

function periodsOf(all: Map<number, Period[]>, item: number): Period[] {
  const periods = all.get(item) ?? []
  all.set(item, periods)
  return periods
}

/** It begins, goes on or ends. */
function note(periods: Period[], isOn: boolean, time: number): void {
  const last = periods.at(-1)
  const isOpen = last?.to === Infinity
  if (isOn && !isOpen) periods.push({ from: time, to: Infinity })
  else if (!isOn && last !== undefined && isOpen) last.to = time
}
