/** Every metric. The names in each ecosystem are derived from this catalog. */
import type { Metric, MetricName, LabelName, Labels } from './metric.ts'

const durations = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200]
const latenesses = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const once: readonly Labels[] = [{}]

export const catalog: Readonly<Record<MetricName, Metric>> = {
  runs: {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    labels: ['outcome', 'source'],
    byShard: true,
    help: 'Completed runs, including runs whose code never started.',
    initial: [
      { outcome: 'success', source: 'cron' },
      ...['cron', 'misfire', 'trigger', 'failover'].map((source) => ({
        outcome: 'failure',
        source,
      })),
    ],
  },
  'run.duration': {
    kind: 'histogram',
    scope: 'job',
    unit: 's',
    byShard: true,
    bounds: durations,
    help: 'Duration of the code of a run, including retries.',
  },
  'run.lateness': {
    kind: 'histogram',
    scope: 'job',
    unit: 's',
    labels: ['source'],
    byShard: true,
    bounds: latenesses,
    help: 'Delay between the fire time and the start of a run.',
  },
  'runs.active': {
    kind: 'active',
    scope: 'job',
    unit: '{run}',
    byShard: true,
    help: 'Active runs.',
    initial: once,
  },
  'run.retries': {
    kind: 'counter',
    scope: 'job',
    unit: '{retry}',
    help: 'Failed tries that were followed by a retry.',
    initial: once,
  },
  'runs.failover': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs that this instance took over from a crashed instance.',
    initial: once,
  },
  'runs.misfired': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs that catch up on a fire time during which the shard was still running or no instance was available.',
    initial: once,
  },
  'runs.crashed': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs of crashed instances that the leader detected.',
    initial: once,
  },
  'runs.abandoned': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs of crashed instances that were abandoned after too many attempts.',
    initial: once,
  },
  'runs.stuck': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs that were aborted and did not end within seconds.',
    initial: once,
  },
  'runs.superseded': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs whose outcome was not recorded, because another run had taken over the shard.',
    initial: once,
  },
  'fires.missed': {
    kind: 'counter',
    scope: 'job',
    unit: '{fire}',
    help: 'Fire times of shards that passed without a run.',
    initial: once,
  },
  'claims.refused': {
    kind: 'counter',
    scope: 'job',
    unit: '{claim}',
    help: 'Claims that failed because of a change or another instance.',
    initial: once,
  },
  reshardings: {
    kind: 'counter',
    scope: 'job',
    unit: '{resharding}',
    help: 'Reshardings that this instance completed as the leader.',
    initial: once,
  },
  'reshardings.failed': {
    kind: 'counter',
    scope: 'job',
    unit: '{resharding}',
    help: 'Reshardings that failed on this instance as the leader.',
    initial: once,
  },
  'shards.moved': {
    kind: 'counter',
    scope: 'job',
    unit: '{shard}',
    help: 'Shards that this instance, as the leader, moved to another owner.',
    initial: once,
  },
  elements: {
    kind: 'counter',
    scope: 'job',
    unit: '{element}',
    labels: ['outcome'],
    help: 'Elements that dataflow jobs processed.',
  },
  'config.refused': {
    kind: 'counter',
    scope: 'job',
    unit: '{configuration}',
    help: 'Invalid configurations in the registry.',
    initial: once,
  },
  'clock.refused': {
    kind: 'counter',
    scope: 'job',
    unit: '{departure}',
    help: 'How often this instance left a job because its clock differs too much from the registry’s.',
    initial: once,
  },
  'job.leader': {
    kind: 'gauge',
    scope: 'job',
    unit: '{job}',
    help: 'Whether this instance leads the job.',
  },
  'job.leaderless': {
    kind: 'gauge',
    scope: 'job',
    unit: '{job}',
    help: 'Whether the job has no leader, as far as this instance knows.',
  },
  'job.shards': {
    kind: 'gauge',
    scope: 'job',
    unit: '{shard}',
    help: 'Shards that this instance owns.',
  },
  'job.shards.due': {
    kind: 'gauge',
    scope: 'job',
    unit: '{shard}',
    help: 'Shards of this instance that are due and have not started.',
  },
  sessions: {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{session}',
    labels: ['state'],
    help: 'Sessions of this process by state.',
  },
  'session.suspensions': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{suspension}',
    help: 'Lost connections to the registry.',
    initial: once,
  },
  'session.losses': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{session}',
    help: 'Sessions that expired and were replaced.',
    initial: once,
  },
  'lease.ends': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{lease}',
    help: 'How often a lease expired and active runs were aborted.',
    initial: once,
  },
  'lease.remaining': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: 's',
    help: 'Remaining time of the lease; the minimum over all sessions, absent while nothing runs.',
  },
  'errors.unhandled': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{error}',
    help: 'Errors of background work that no caller receives.',
    initial: once,
  },
  'replica.jobs': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{job}',
    help: 'Jobs of which this process keeps a replica.',
  },
  'replica.nodes': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{node}',
    help: 'Registry nodes in these replicas.',
  },
  'zookeeper.requests.active': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{request}',
    help: 'Unanswered requests to ZooKeeper.',
  },
  'zookeeper.request.duration': {
    kind: 'histogram',
    scope: 'process',
    unit: 's',
    labels: ['operation'],
    bounds: latencies,
    help: 'Duration of requests to ZooKeeper, over all clients of this process.',
  },
  'zookeeper.request.errors': {
    kind: 'counter',
    scope: 'process',
    unit: '{request}',
    labels: ['operation', 'code'],
    help: 'Requests to ZooKeeper that failed or got no answer.',
  },
  'tracing.queued': {
    kind: 'gauge',
    scope: 'process',
    unit: '{entry}',
    help: 'History entries that wait to be written.',
  },
  'tracing.dropped': {
    kind: 'total',
    scope: 'process',
    unit: '{row}',
    help: 'History rows that were dropped because the queue was full.',
  },
}

export const metricNames: readonly MetricName[] = Object.keys(catalog) as MetricName[]

/** The labels of a metric besides its job, according to the options. */
export function labelsOf(name: MetricName, shardLabel: boolean): readonly LabelName[] {
  const { labels = [], byShard } = catalog[name]
  return shardLabel && byShard === true ? [...labels, 'shard'] : labels
}
