/**
 * The past and present fire times of a job: one span for each schedule and shard count, and the off periods, in which
 * no fire was to happen. An instance that moves the account of a shard past unclaimed fire times finds them here.
 */
import { parseCron } from '../cron/cron.ts'
import type { OffPeriod, ScheduleSpan } from '../job-tree/job-state.ts'
import type { FormerServer } from '../job-tree/shard-state.ts'
import type { Timing } from '../job-tree/timeline.ts'
import type { FireTimes } from './due.ts'

/** One schedule, with the shard count in effect. */
export interface FireSpan {
  /** No fire time up to this moment belongs to the span. */
  readonly from: number
  /** Undefined for a job without a schedule. */
  readonly fires: FireTimes | undefined
  readonly total: number
}

/** Why no owner can run a fire time any more. */
export type Cut = 'schedule' | 'total' | 'paused' | 'disabled'

/** A row of fire times, from the first to the last. */
export interface FireRow {
  readonly first: number
  readonly last: number
  /** The change after which no instance could run them. */
  readonly cut: Cut | undefined
}

/** A stretch of time: after `after`, up to and including `until`. */
export interface Stretch {
  readonly after: number
  readonly until: number
}

/** Where a shard was: the pause of a server applies to the time that the shard was on that server. */
export interface Place {
  /** The server of the present owner. */
  readonly server: string
  /** The servers before it, in order. */
  readonly former: readonly FormerServer[]
}

interface Segment extends Stretch {
  readonly cut: Cut | undefined
}

export class FireHistory {
  readonly #spans: readonly FireSpan[]
  readonly #off: readonly OffPeriod[]

  /** Spans from the oldest to the one in effect. */
  constructor(spans: readonly FireSpan[], off: readonly OffPeriod[] = []) {
    this.#spans = spans
    this.#off = off
  }

  /** When the shard was last created, according to the configuration. */
  shardSince(shard: number): number {
    let since = Infinity
    for (let index = this.#spans.length - 1; index >= 0; index--) {
      const span = this.#spans[index] as FireSpan
      if (shard >= span.total) break
      since = span.from
    }
    return since
  }

  /** Whether the schedule in effect has no fire time in a stretch, and no other schedule was in effect then. */
  isEmpty({ after, until }: Stretch): boolean {
    const last = this.#spans.at(-1)
    if (last === undefined || (this.#spans.length > 1 && last.from > after)) return false
    return (last.fires?.nextAfter(Math.max(after, last.from)) ?? Infinity) > until
  }

  /** The fire times of a shard in a stretch of time, without those that fell into an off period on its server. */
  rows(shard: number, place: Place, stretch: Stretch, left: readonly Stretch[] = []): FireRow[] {
    const rows: FireRow[] = []
    for (const [index, span] of this.#spans.entries()) {
      if (span.fires === undefined || shard >= span.total) continue
      const next = this.#spans[index + 1]
      const whole: Segment = {
        after: Math.max(span.from, stretch.after),
        until: Math.min(next?.from ?? Infinity, stretch.until),
        cut: next === undefined ? undefined : shard >= next.total ? 'total' : 'schedule',
      }
      for (const segment of this.#open(whole, place, left)) {
        const row = rowIn(span.fires, segment)
        if (row !== undefined) rows.push(row)
      }
    }
    return rows
  }

  /** The parts of a segment outside the off periods. */
  #open(whole: Segment, place: Place, left: readonly Stretch[]): readonly Segment[] {
    let segments: readonly Segment[] = [whole]
    for (const { after, until } of left) {
      segments = segments.flatMap((one) => without(one, after, until, one.cut))
    }
    for (const period of this.#off) {
      for (const { after, until } of heldAt(period, place)) {
        segments = segments.flatMap((one) => without(one, after, until, period.why))
      }
    }
    return segments
  }
}

/** The stretches in which an off period applied to a shard with this place. */
function heldAt({ from, to = Infinity, server }: OffPeriod, place: Place): Stretch[] {
  if (server === undefined) return [{ after: from, until: to }]
  const stays = [...place.former, { server: place.server, until: Infinity }]
  return stays
    .map((stay, index) => ({
      isThere: stay.server === server,
      after: Math.max(from, stays[index - 1]?.until ?? 0),
      until: Math.min(to, stay.until),
    }))
    .filter(({ isThere, after, until }) => isThere && after < until)
}

function without(segment: Segment, from: number, to: number, why: Cut | undefined): Segment[] {
  if (to <= segment.after || from >= segment.until) return [segment]
  return [
    ...(from > segment.after ? [{ after: segment.after, until: from, cut: why }] : []),
    ...(to < segment.until ? [{ ...segment, after: to }] : []),
  ]
}

function rowIn(fires: FireTimes, { after, until, cut }: Segment): FireRow | undefined {
  if (until <= after) return undefined
  const first = fires.nextAfter(after)
  if (first === undefined || first > until) return undefined
  return { first, last: fires.latestAtOrBefore(until, first - 1) ?? first, cut }
}

/** The fire times of a span; the schedule in effect is already parsed. */
export function fireSpanOf(
  { from, cron, timeZone, total }: ScheduleSpan,
  present: Timing & { readonly fires: FireTimes | undefined },
  strict: boolean,
): FireSpan {
  if (cron === present.cron && timeZone === present.timeZone) {
    return { from, fires: present.fires, total }
  }
  return {
    from,
    fires: cron === undefined ? undefined : parseCron(cron, { timeZone, strict }),
    total,
  }
}
