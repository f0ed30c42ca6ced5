/** The severity of each state: one color for each state, everywhere. */
import type { JobState, RunOutcome, ServerStatus, ShardState } from '../../../src/contract/jobs.ts'
import type { Tone } from '../components/badge.tsx'

const jobTones: Readonly<Record<JobState, Tone>> = {
  removing: 'warn',
  broken: 'bad',
  crashed: 'bad',
  disabled: 'idle',
  paused: 'warn',
  sharding: 'warn',
  running: 'info',
  ok: 'good',
}

export function jobTone(state: JobState): Tone {
  return jobTones[state]
}

const outcomeTones: Readonly<Record<RunOutcome, Tone>> = {
  success: 'good',
  failure: 'bad',
  timeout: 'bad',
  aborted: 'warn',
  stopped: 'warn',
  'not-started': 'idle',
  lost: 'bad',
  running: 'info',
}

export function outcomeTone(outcome: RunOutcome): Tone {
  return outcomeTones[outcome]
}

const shardTones: Readonly<Record<ShardState, Tone>> = {
  running: 'info',
  stopping: 'warn',
  'taken-over': 'info',
  'waiting-for-failover': 'bad',
  crashed: 'bad',
  abandoned: 'bad',
  unreadable: 'bad',
  disabled: 'idle',
  'no-owner': 'bad',
  'owner-away': 'bad',
  paused: 'warn',
  pending: 'good',
}

export function shardTone(state: ShardState): Tone {
  return shardTones[state]
}

const serverTones: Readonly<Record<ServerStatus, Tone>> = {
  READY: 'good',
  RUNNING: 'info',
  DISABLED: 'idle',
  PAUSED: 'warn',
  CRASHED: 'bad',
  SHUTDOWN: 'idle',
}

export function serverTone(status: ServerStatus): Tone {
  return serverTones[status]
}
