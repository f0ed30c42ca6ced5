import type {
  ActiveName,
  CounterName,
  GaugeName,
  HistogramName,
  Labels,
  TotalName,
} from './metric.ts'

/** The owner of a series. */
export interface Owner {
  /** Undefined for the whole process. */
  readonly namespace?: string
  /** Undefined without a job. */
  readonly job?: string
}

/** A change by an event. */
export type Change =
  | {
      readonly metric: CounterName | ActiveName
      readonly labels: Labels
      readonly amount: number
    }
  | { readonly metric: HistogramName; readonly labels: Labels; readonly value: number }

/** The current value of a metric. */
export interface Reading {
  readonly metric: GaugeName | TotalName
  readonly owner: Owner
  readonly labels: Labels
  readonly value: number
}

/** The target of metrics: an ecosystem. */
export interface Sink {
  apply(change: Change, owner: Owner): void
  /** Removes the series of a job. */
  forget(owner: Owner): void
}
