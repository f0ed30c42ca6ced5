/** Arranges runs in lanes: one for each instance, with as many rows as runs overlap. */
export interface Span {
  readonly id: string
  readonly lane: string
  readonly from: number
  readonly to: number
}

interface Placed<S extends Span> {
  readonly span: S
  /** The row within its lane, from 0. */
  readonly row: number
}

export interface ShardSlot<S extends Span> {
  readonly name: string
  readonly rows: number
  readonly spans: readonly Placed<S>[]
}

/** Each run goes to the first row that is free at its start. */
export function inLanes<S extends Span>(spans: readonly S[]): ShardSlot<S>[] {
  const lanes = new Map<string, { ends: number[]; placed: Placed<S>[] }>()
  for (const span of spans.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const lane = lanes.get(span.lane) ?? { ends: [], placed: [] }
    lanes.set(span.lane, lane)
    const free = lane.ends.findIndex((end) => end <= span.from)
    const row = free === -1 ? lane.ends.length : free
    lane.ends[row] = span.to
    lane.placed.push({ span, row })
  }
  return [...lanes]
    .map(([name, { ends, placed }]) => ({ name, rows: ends.length, spans: placed }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000)

/** Round times for the axis, at most `most` of them. */
export function ticks(from: number, to: number, most: number): number[] {
  const step = steps.find((each) => (to - from) / each <= most) ?? 86_400_000
  const first = Math.ceil(from / step) * step
  const count = Math.max(0, Math.floor((to - first) / step) + 1)
  return Array.from({ length: count }, (_, index) => first + index * step)
}
