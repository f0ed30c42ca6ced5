import type {
  ActiveName,
  CounterName,
  GaugeName,
  HistogramName,
  Labels,
  TotalName,
} from './figure.ts'

/** Whose figure it is. */
export interface Owner {
  /** Undefined for what belongs to the whole process. */
  readonly namespace?: string
  /** Undefined for what belongs to no job. */
  readonly job?: string
}

/** What an event changes. */
export type Change =
  | {
      readonly figure: CounterName | ActiveName
      readonly labels: Labels
      readonly amount: number
    }
  | { readonly figure: HistogramName; readonly labels: Labels; readonly value: number }

/** What a figure is at this moment. */
export interface Reading {
  readonly figure: GaugeName | TotalName
  readonly owner: Owner
  readonly labels: Labels
  readonly value: number
}

/** Where figures go: an ecosystem. */
export interface Sink {
  apply(change: Change, owner: Owner): void
  /** Nothing is known of the job any more. */
  forget(owner: Owner): void
}
