/** The changes of metrics for each event of a scheduler. */
import type { ElasticJobEvents, RunReference } from '@elasticjob/core'

import type { CounterName } from './metric.ts'
import type { Change } from './series.ts'

/** Context besides the event. */
export interface Moment {
  /** The registry's time, in milliseconds. */
  readonly now: number
  /** Whether the run's code had started. */
  readonly wasActive: boolean
}

type Events = ElasticJobEvents

/** Undefined for an event without metrics. */
export type ChangesOf = {
  readonly [Name in keyof Events]?: (payload: Events[Name][0], moment: Moment) => readonly Change[]
}

const one = (metric: CounterName): readonly Change[] => [{ metric, labels: {}, amount: 1 }]

const shardOf = ({ shardingItem }: RunReference): string => String(shardingItem)

export const changesOf: ChangesOf = {
  'run:started': (run, { now }) => {
    const shard = shardOf(run)
    const { source, fireTime } = run
    // Clocks differ: a run never starts before its fire time, it only seems to.
    const value = Math.max(0, now - fireTime) / 1000
    return [
      { metric: 'runs.active', labels: { shard: shard }, amount: 1 },
      { metric: 'run.lateness', labels: { source, shard: shard }, value },
      ...(source === 'failover' ? one('runs.failover') : []),
      ...(source === 'misfire' ? one('runs.misfired') : []),
    ]
  },
  'run:completed': (run, { wasActive }) => {
    const shard = shardOf(run)
    const { outcome, source, duration } = run
    const counted: Change = { metric: 'runs', labels: { outcome, source, shard: shard }, amount: 1 }
    if (!wasActive) return [counted]
    return [
      counted,
      { metric: 'runs.active', labels: { shard: shard }, amount: -1 },
      { metric: 'run.duration', labels: { shard: shard }, value: duration / 1000 },
    ]
  },
  'run:retried': () => one('run.retries'),
  'run:crashed': () => one('runs.crashed'),
  'run:abandoned': () => one('runs.abandoned'),
  'run:stuck': () => one('runs.stuck'),
  'run:superseded': () => one('runs.superseded'),
  'fire:missed': () => one('fires.missed'),
  'claim:refused': () => one('claims.refused'),
  'sharding:changed': ({ moved }) => [
    ...one('reshardings'),
    { metric: 'shards.moved', labels: {}, amount: moved },
  ],
  'sharding:failed': () => one('reshardings.failed'),
  'data:processed': ({ succeeded, failed }) => [
    { metric: 'elements', labels: { outcome: 'success' }, amount: succeeded },
    { metric: 'elements', labels: { outcome: 'failure' }, amount: failed },
  ],
  'config:refused': () => one('config.refused'),
  'clock:refused': () => one('clock.refused'),
  'registry:suspended': () => one('session.suspensions'),
  'registry:renewed': () => one('session.losses'),
  'lease:ended': () => one('lease.ends'),
  'error:unhandled': () => one('errors.unhandled'),
}
