/** What each event of a scheduler changes. */
import type { ElasticJobEvents, RunReference } from '@elasticjob/core'

import type { CounterName } from './figure.ts'
import type { Change } from './series.ts'

/** What is known beside the event. */
export interface Moment {
  /** The registry's time, in milliseconds. */
  readonly now: number
  /** Whether the run's code had begun. */
  readonly wasActive: boolean
}

type Events = ElasticJobEvents

/** Undefined for an event that says nothing of interest here. */
export type ChangesOf = {
  readonly [Name in keyof Events]?: (payload: Events[Name][0], moment: Moment) => readonly Change[]
}

const one = (figure: CounterName): readonly Change[] => [{ figure, labels: {}, amount: 1 }]

const itemOf = ({ shardingItem }: RunReference): string => String(shardingItem)

export const changesOf: ChangesOf = {
  'run:started': (run, { now }) => {
    const item = itemOf(run)
    const { source, fireTime } = run
    // Clocks are not the same everywhere: nothing begins before its time, some only seem to.
    const value = Math.max(0, now - fireTime) / 1000
    return [
      { figure: 'runs.active', labels: { item }, amount: 1 },
      { figure: 'run.lateness', labels: { source, item }, value },
      ...(source === 'failover' ? one('runs.failover') : []),
      ...(source === 'misfire' ? one('runs.misfired') : []),
    ]
  },
  'run:completed': (run, { wasActive }) => {
    const item = itemOf(run)
    const { outcome, source, duration } = run
    const counted: Change = { figure: 'runs', labels: { outcome, source, item }, amount: 1 }
    if (!wasActive) return [counted]
    return [
      counted,
      { figure: 'runs.active', labels: { item }, amount: -1 },
      { figure: 'run.duration', labels: { item }, value: duration / 1000 },
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
    { figure: 'items.moved', labels: {}, amount: moved },
  ],
  'sharding:failed': () => one('reshardings.failed'),
  'data:processed': ({ succeeded, failed }) => [
    { figure: 'elements', labels: { outcome: 'success' }, amount: succeeded },
    { figure: 'elements', labels: { outcome: 'failure' }, amount: failed },
  ],
  'config:refused': () => one('config.refused'),
  'clock:refused': () => one('clock.refused'),
  'registry:suspended': () => one('session.suspensions'),
  'registry:renewed': () => one('session.losses'),
  'lease:ended': () => one('lease.ends'),
  'error:unhandled': () => one('errors.unhandled'),
}
