/** The metrics of one history database. */
export interface TracingMetrics {
  readonly queued: { readonly entries: number }
  /** Dropped rows by table. */
  readonly dropped: {
    readonly executions: number
    readonly statuses: number
    readonly logs: number
    readonly lost: number
    readonly ends: number
  }
}

/** The recorder whose metrics are shown: `Tracing` of `@elasticjob/tracing` is one. */
export interface TracingSource {
  /** By database. */
  readonly metrics: Readonly<Record<string, TracingMetrics>>
}

/** The options that select metrics. */
export interface MetricOptions {
  /**
   * How many jobs of a process have their own series. Further jobs share the label `other`: each job has
   * about 55 series.
   * @default 250
   */
  readonly jobLimit?: number
  /**
   * Whether run metrics have a series per shard. This multiplies their number by the number of shards.
   * @default false
   */
  readonly shardLabel?: boolean
  /**
   * The recorder whose queue and drops are shown.
   * @default none
   */
  readonly tracing?: TracingSource | undefined
}

/** The defaults of `MetricOptions`. */
export const metricDefaults: Readonly<{ jobLimit: number; shardLabel: boolean }> = Object.freeze({
  jobLimit: 250,
  shardLabel: false,
})
