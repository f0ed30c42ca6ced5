/** What a figure is, and which there are. */

/** What tells series of one figure apart. */
export type LabelName = 'outcome' | 'source' | 'item' | 'state' | 'operation' | 'code'

export type Labels = Readonly<Partial<Record<LabelName, string>>>

export interface Figure {
  /**
   * `counter` and `active` change with events, `histogram` takes what events tell; `gauge` and `total`
   * are read when somebody looks.
   */
  readonly kind: 'counter' | 'active' | 'histogram' | 'gauge' | 'total'
  /** Of a job, of all that a scheduler does, or of the whole process. */
  readonly scope: 'job' | 'scheduler' | 'process'
  /** `s` for seconds; otherwise what is counted, in braces. */
  readonly unit: string
  readonly help: string
  readonly labels?: readonly LabelName[]
  /** Whether it is kept for each item when that is asked for. */
  readonly byItem?: true
  /** The upper bounds of a histogram. */
  readonly bounds?: readonly number[]
  /** Series that are there from the beginning: of what appears with its first event nobody sees the first. */
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
  | 'items.moved'
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
  | 'job.items'
  | 'job.items.due'
  | 'sessions'
  | 'lease.remaining'
  | 'replica.jobs'
  | 'replica.nodes'
  | 'zookeeper.requests.active'
  | 'tracing.queued'

export type TotalName = 'tracing.dropped'

export type FigureName = CounterName | ActiveName | HistogramName | GaugeName | TotalName
