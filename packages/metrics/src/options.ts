/** What is known of one database of history. */
export interface TracingFigures {
  readonly queued: { readonly entries: number }
  /** Rows that were never written, by their tables. */
  readonly dropped: {
    readonly executions: number
    readonly statuses: number
    readonly logs: number
    readonly lost: number
    readonly ends: number
  }
}

/** What writes history down, as far as figures are concerned: `Tracing` of `@elasticjob/tracing` is one. */
export interface TracingSource {
  /** By database. */
  readonly figures: Readonly<Record<string, TracingFigures>>
}

/** Which figures there are. */
export interface FigureOptions {
  /**
   * How many jobs of a process have figures of their own. Those that come after them share the ones of a
   * job called `other`: each job takes about 55 series.
   * @default 250
   */
  readonly jobLimit?: number
  /**
   * Whether the figures of runs are kept for each item. This multiplies them by the number of items.
   * @default false
   */
  readonly itemLabel?: boolean
  /**
   * Whose queue and drops are shown.
   * @default none
   */
  readonly tracing?: TracingSource | undefined
}

export const figureDefaults: Readonly<{ jobLimit: number; itemLabel: boolean }> = Object.freeze({
  jobLimit: 250,
  itemLabel: false,
})
