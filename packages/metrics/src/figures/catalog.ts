/** Every figure there is. The names in each ecosystem follow from what stands here. */
import type { Figure, FigureName, LabelName, Labels } from './figure.ts'

const durations = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200]
const latenesses = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const once: readonly Labels[] = [{}]

export const catalog: Readonly<Record<FigureName, Figure>> = {
  runs: {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    labels: ['outcome', 'source'],
    byItem: true,
    help: 'Runs whose code has ended, or never began.',
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
    byItem: true,
    bounds: durations,
    help: 'How long the code of a run took, with its retries.',
  },
  'run.lateness': {
    kind: 'histogram',
    scope: 'job',
    unit: 's',
    labels: ['source'],
    byItem: true,
    bounds: latenesses,
    help: 'How long after its time a run began.',
  },
  'runs.active': {
    kind: 'active',
    scope: 'job',
    unit: '{run}',
    byItem: true,
    help: 'Runs whose code runs now.',
    initial: once,
  },
  'run.retries': {
    kind: 'counter',
    scope: 'job',
    unit: '{retry}',
    help: 'Failed tries after which a run was tried again.',
    initial: once,
  },
  'runs.failover': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs that were taken over from an instance that is gone.',
    initial: once,
  },
  'runs.misfired': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs that make up for a time at which the item still ran, or nobody was there.',
    initial: once,
  },
  'runs.crashed': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs of dead instances that the leader has found.',
    initial: once,
  },
  'runs.abandoned': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs of dead instances that were given up.',
    initial: once,
  },
  'runs.stuck': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs that were asked to end, and did not within seconds.',
    initial: once,
  },
  'runs.superseded': {
    kind: 'counter',
    scope: 'job',
    unit: '{run}',
    help: 'Runs whose outcome was not written, because another run had the item by then.',
    initial: once,
  },
  'fires.missed': {
    kind: 'counter',
    scope: 'job',
    unit: '{fire}',
    help: 'Scheduled times of items that passed without a run.',
    initial: once,
  },
  'claims.refused': {
    kind: 'counter',
    scope: 'job',
    unit: '{claim}',
    help: 'Claims that lost against a change or another instance.',
    initial: once,
  },
  reshardings: {
    kind: 'counter',
    scope: 'job',
    unit: '{resharding}',
    help: 'How often this instance, as the leader, has dealt out the items anew.',
    initial: once,
  },
  'reshardings.failed': {
    kind: 'counter',
    scope: 'job',
    unit: '{resharding}',
    help: 'How often this instance, as the leader, could not deal out the items.',
    initial: once,
  },
  'items.moved': {
    kind: 'counter',
    scope: 'job',
    unit: '{item}',
    help: 'Items that this instance, as the leader, has given to another owner.',
    initial: once,
  },
  elements: {
    kind: 'counter',
    scope: 'job',
    unit: '{element}',
    labels: ['outcome'],
    help: 'Elements that dataflows have processed.',
  },
  'config.refused': {
    kind: 'counter',
    scope: 'job',
    unit: '{configuration}',
    help: 'Configurations in the registry that could not be used.',
    initial: once,
  },
  'clock.refused': {
    kind: 'counter',
    scope: 'job',
    unit: '{fire}',
    help: 'Scheduled times at which nothing ran because this clock is too far from the registry’s.',
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
    help: 'Whether nobody leads the job, as far as this instance knows.',
  },
  'job.items': {
    kind: 'gauge',
    scope: 'job',
    unit: '{item}',
    help: 'Items that this instance owns.',
  },
  'job.items.due': {
    kind: 'gauge',
    scope: 'job',
    unit: '{item}',
    help: 'Items of this instance that are due and have not begun.',
  },
  sessions: {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{session}',
    labels: ['state'],
    help: 'Sessions of this process, by their state.',
  },
  'session.suspensions': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{suspension}',
    help: 'How often a connection to the registry was lost.',
    initial: once,
  },
  'session.losses': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{session}',
    help: 'Sessions that were lost, and replaced by new ones.',
    initial: once,
  },
  'lease.ends': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{lease}',
    help: 'How often a session was no longer proven, so that what ran was aborted.',
    initial: once,
  },
  'lease.remaining': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: 's',
    help: 'For how much longer the session is proven; the least of all, absent while nothing runs.',
  },
  'errors.unhandled': {
    kind: 'counter',
    scope: 'scheduler',
    unit: '{error}',
    help: 'Failures that nobody waits for.',
    initial: once,
  },
  'replica.jobs': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{job}',
    help: 'Jobs of which this process keeps a copy.',
  },
  'replica.nodes': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{node}',
    help: 'Nodes of the registry that these copies have.',
  },
  'zookeeper.requests.active': {
    kind: 'gauge',
    scope: 'scheduler',
    unit: '{request}',
    help: 'Requests to ZooKeeper that have no answer yet.',
  },
  'zookeeper.request.duration': {
    kind: 'histogram',
    scope: 'process',
    unit: 's',
    labels: ['operation'],
    bounds: latencies,
    help: 'How long requests to ZooKeeper took, of every client of this process.',
  },
  'zookeeper.request.errors': {
    kind: 'counter',
    scope: 'process',
    unit: '{request}',
    labels: ['operation', 'code'],
    help: 'Requests to ZooKeeper that were answered with an error, or not at all.',
  },
  'tracing.queued': {
    kind: 'gauge',
    scope: 'process',
    unit: '{entry}',
    help: 'Entries of the history that wait to be written.',
  },
  'tracing.dropped': {
    kind: 'total',
    scope: 'process',
    unit: '{row}',
    help: 'Rows of the history that were never written, because too many waited.',
  },
}

export const figureNames: readonly FigureName[] = Object.keys(catalog) as FigureName[]

/** The labels of a figure beside its job, as the options want them. */
export function labelsOf(name: FigureName, itemLabel: boolean): readonly LabelName[] {
  const { labels = [], byItem } = catalog[name]
  return itemLabel && byItem === true ? [...labels, 'item'] : labels
}
