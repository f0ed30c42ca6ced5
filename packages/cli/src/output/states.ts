/** The states of jobs, shards and servers in words, with colours by severity. */
import type { JobSummary, ServerStatus, ShardDetail, ShardPhase } from '@elasticjob/core/operations'

import type { Style } from './style.ts'
import type { Cell } from './table.ts'

/** The most important word about a job. */
export function jobState(job: JobSummary): string {
  if (job.removing) return 'being removed'
  if (job.problem !== undefined || job.status === 'BROKEN') return 'broken'
  switch (job.status) {
    case 'CRASHED':
      return 'no instance'
    case 'DISABLED':
      return 'disabled'
    case 'SHARDING_FLAG':
      return job.paused ? 'paused' : 'resharding'
    case 'OK':
      if (job.paused) return 'paused'
      return job.pausedServers.length > 0 ? 'partly paused' : 'ok'
  }
}

export function jobStateCell(job: JobSummary, style: Style): Cell {
  const text = jobState(job)
  if (text === 'ok') return { text, paint: style.good }
  const isBad = text === 'no instance' || text === 'broken' || text === 'being removed'
  return { text, paint: isBad ? style.bad : style.doubtful }
}

const shardLabels: Readonly<Record<ShardPhase, string>> = Object.freeze({
  running: 'running',
  stopping: 'stopping',
  'taken-over': 'running, taken over',
  'waiting-for-failover': 'waiting for failover',
  crashed: 'crashed',
  abandoned: 'abandoned',
  unreadable: 'state unreadable',
  disabled: 'disabled',
  'no-owner': 'no owner',
  'owner-away': 'owner away',
  paused: 'paused',
  pending: 'waiting',
})

export function shardStateCell({ state }: ShardDetail, style: Style): Cell {
  const text = shardLabels[state]
  switch (state) {
    case 'running':
    case 'taken-over':
      return { text, paint: style.good }
    case 'pending':
      return text
    case 'disabled':
    case 'paused':
    case 'stopping':
      return { text, paint: style.doubtful }
    default:
      return { text, paint: style.bad }
  }
}

const serverLabels: Readonly<Record<ServerStatus, string>> = Object.freeze({
  READY: 'ready',
  RUNNING: 'running',
  DISABLED: 'disabled',
  PAUSED: 'paused',
  CRASHED: 'gone',
  SHUTDOWN: 'shut down',
})

export function serverStateCell(status: ServerStatus, style: Style): Cell {
  const text = serverLabels[status]
  if (status === 'READY' || status === 'RUNNING') return { text, paint: style.good }
  return { text, paint: status === 'CRASHED' ? style.bad : style.doubtful }
}

/** The outcome of a shard's last run: `17:02:10 success, 101 ms`. */
export function outcomeCell({ run }: ShardDetail, style: Style): Cell {
  if (run?.outcome === undefined) return '-'
  if (run.outcome === 'success') return { text: 'success', paint: style.good }
  const text = run.error === undefined ? run.outcome : `${run.outcome}: ${run.error}`
  return { text, paint: run.outcome === 'failure' ? style.bad : style.doubtful }
}

/** `10.0.0.1 (4711)` for people; options take the whole id. */
export function instanceName(instance: string): string {
  const [server = '', suffix = ''] = instance.split('@-@', 2)
  return `${server} (${suffix.split('-', 1)[0]})`
}
