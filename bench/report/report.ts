import type { Measurement } from '../drivers/contract.ts'
import type { Machine } from '../measure/machine.ts'
import type { Measurements, Point } from '../measure/rounds.ts'
import { median } from '../measure/statistics.ts'

/** What has to be reached, as a ratio to the one compared with, or by our own figure itself. */
export type Goal =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly ownAtMost: number }

/** One figure of everybody, and how ours compares. */
export interface Row {
  readonly what: string
  readonly unit: string
  /** The medians by name; null where there is no such figure. */
  readonly values: Readonly<Record<string, number | null>>
  /** What each round came to, by name. */
  readonly rounds: Readonly<Record<string, readonly number[]>>
  /** Ours divided by the other's. */
  readonly ratio: number | null
  /** Ours divided by each other's, by their names, where there is no one to compare with alone. */
  readonly ratios?: Readonly<Record<string, number | null>>
  readonly goal: Goal | null
  readonly reached: boolean | null
}

export interface Section {
  readonly title: string
  /** Whose figures there are: the one compared with, ours, others. Or ours alone. */
  readonly names: readonly string[]
  /** Whose figures are divided by those of all others, where there is no one to compare with alone. */
  readonly subject?: string
  readonly rows: readonly Row[]
  /** What to know about these figures. */
  readonly notes?: readonly string[]
}

/** What a benchmark came to. */
export type Findings = Pick<Report, 'settings' | 'sections' | 'notes'>

/** A whole run of one benchmark. */
export interface Report {
  readonly bench: string
  readonly date: string
  readonly machine: Machine
  /** The load of the machine before and after; much more than none before says that others were at work. */
  readonly load: { readonly before: number; readonly after: number }
  readonly settings: Readonly<Record<string, string>>
  readonly sections: readonly Section[]
  readonly notes: readonly string[]
}

/** A figure taken from a point's measurements. */
export interface Metric {
  readonly what: string
  readonly unit: string
  readonly of: (measurement: Measurement) => number
  readonly goal?: Goal
}

/** Who is compared with whom. */
export interface Comparison {
  readonly subject: string
  readonly baseline: string
}

export function rowOf(
  measurements: Measurements,
  point: Point,
  metric: Metric,
  comparison: Comparison,
): Row {
  const rounds = Object.fromEntries(
    [...(measurements.get(point) ?? [])].map(([name, all]) => [name, all.map(metric.of)]),
  )
  return compare(metric, rounds, comparison)
}

/** A row from the figures themselves, one a round. */
export function compare(
  { what, unit, goal }: Pick<Metric, 'what' | 'unit' | 'goal'>,
  rounds: Readonly<Record<string, readonly number[]>>,
  { subject, baseline }: Comparison,
): Row {
  const values = mediansOf(rounds)
  const [own = null, other = null] = [values[subject], values[baseline]]
  const ratio = quotient(own, other)
  return {
    what,
    unit,
    values,
    rounds,
    ratio,
    goal: goal ?? null,
    reached: goal === undefined ? null : isReached(goal, own, ratio),
  }
}

/** The same for a subject and all others. */
export function compareWithAll(
  { what, unit }: Pick<Metric, 'what' | 'unit'>,
  rounds: Readonly<Record<string, readonly number[]>>,
  subject: string,
): Row {
  const values = mediansOf(rounds)
  const { [subject]: own = null, ...others } = values
  const ratios = Object.fromEntries(
    Object.entries(others).map(([name, other]) => [name, quotient(own, other)]),
  )
  return { what, unit, values, rounds, ratio: null, ratios, goal: null, reached: null }
}

function mediansOf(
  rounds: Readonly<Record<string, readonly number[]>>,
): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(rounds).map(([name, all]) => [name, all.length === 0 ? null : median(all)]),
  )
}

function quotient(own: number | null, other: number | null): number | null {
  return own === null || other === null || other === 0 ? null : own / other
}

function isReached(goal: Goal, own: number | null, ratio: number | null): boolean | null {
  if ('ownAtMost' in goal) return own === null ? null : own <= goal.ownAtMost
  if (ratio === null) return null
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost
}
