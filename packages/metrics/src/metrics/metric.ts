/** The definition of a metric, and the names of all metrics. */

/** The labels that distinguish the series of a metric. */
export type LabelName = 'outcome' | 'source' | 'shard' | 'state' | 'operation' | 'code'

export type Labels = Readonly<Partial<Record<LabelName, string>>>

export interface Metric {
  /**
   * `counter` and `active` change with events, `histogram` records values of events; `gauge` and `total` are
   * read on every scrape.
   */
  readonly kind: 'counter' | 'active' | 'histogram' | 'gauge' | 'total'
  /** Of a job, of a scheduler, or of the whole process. */
  readonly scope: 'job' | 'scheduler' | 'process'
  /** `s` for seconds; otherwise what is counted, in braces. */
  readonly unit: string
  readonly help: string
  readonly labels?: readonly LabelName[]
  /** Whether it has a series per shard if requested. */
  readonly byShard?: true
  /** The upper bounds of a histogram. */
  readonly bounds?: readonly number[]
  /**
   * Series that exist from the start: the first event of a new series would not be visible as an increase.
   */
  readonly initial?: readonly Labels[]
}

export type CounterName =
  | 'runs'
  | 'run.retries'
  | 'runs.failover'
  | 'runs.misfired'
  | 'runs.crashed'
  | 'runs.abandoned'
  | 'runs.stuck'
  | 'runs.superseded'
  | 'fires.missed'
  | 'claims.refused'
  | 'reshardings'
  | 'reshardings.failed'
  | 'shards.moved'
  | 'elements'
  | 'config.refused'
  | 'clock.refused'
  | 'session.suspensions'
  | 'session.losses'
  | 'lease.ends'
  | 'errors.unhandled'
  | 'zookeeper.request.errors'

export type ActiveName = 'runs.active'

export type HistogramName = 'run.duration' | 'run.lateness' | 'zookeeper.request.duration'

export type GaugeName =
  | 'job.leader'
  | 'job.leaderless'
  | 'job.shards'
  | 'job.shards.due'
  | 'sessions'
  | 'lease.remaining'
  | 'replica.jobs'
  | 'replica.nodes'
  | 'zookeeper.requests.active'
  | 'tracing.queued'

export type TotalName = 'tracing.dropped'

export type MetricName = CounterName | ActiveName | HistogramName | GaugeName | TotalName
