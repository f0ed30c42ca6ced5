/** How an item stands. */
import { serverOf } from '../job-tree/instance-id.ts'
import { isDead, isServerEnabled } from '../job-tree/job-view.ts'
import { isPaused, noJobWord } from '../job-tree/job-word.ts'
import { say, type Sentence } from '../sentence.ts'
import { ownerOf } from '../sharding/needs.ts'
import { type RunsOfJob, runnerOf } from './runner.ts'

/** As the consoles of 2.x and 3.x say it; SHARDING_FLAG: its owner is not there. */
export type ShardStatus = 'DISABLED' | 'RUNNING' | 'SHARDING_FLAG' | 'PENDING'

/** As the console of 1.x says it. */
export type LegacyShardStatus = 'RUNNING' | 'COMPLETED' | 'PENDING'

/** What an item is doing, or waiting for. */
export type ShardState =
  | 'running'
  /** An operator has asked for the end of its run. */
  | 'stopping'
  /** Runs on an instance that has taken it over from a crashed one. */
  | 'taken-over'
  /** Its run was left by a crashed instance; somebody will take it over. */
  | 'waiting-for-failover'
  /** Its run was left by a crashed instance; nobody takes it over, for failover is off. */
  | 'crashed'
  /** Its run was begun too often; the next time counts again. */
  | 'abandoned'
  | 'disabled'
  /** Nobody owns it. */
  | 'no-owner'
  /** Its owner is gone, or leaves, or was disabled: it will be given to somebody else. */
  | 'owner-away'
  | 'paused'
  /** Nothing is in the way of its next run. */
  | 'pending'

/** Also for an item whose owner is gone, or which nobody owns: that is when an operator looks. */
export function shardStatus({ view }: RunsOfJob, item: number): ShardStatus {
  const nodes = view.items.get(item)
  if (nodes?.disabled === true) return 'DISABLED'
  if (nodes?.running === true) return 'RUNNING'
  const owner = ownerOf(view, item)
  return owner === undefined || !view.instances.has(owner) ? 'SHARDING_FLAG' : 'PENDING'
}

export function legacyShardStatus(job: RunsOfJob, item: number): LegacyShardStatus {
  if (job.view.items.get(item)?.running === true) return 'RUNNING'
  return isCompleted(job, item) ? 'COMPLETED' : 'PENDING'
}

/** Whether the last run of an item has ended, and ended well. */
export function isCompleted({ words }: RunsOfJob, item: number): boolean {
  const word = words.get(item)?.value
  return word?.state === 'idle' && word.outcome === 'success'
}

/** `failover`: whether crashed runs are taken over. */
export function shardState(job: RunsOfJob, item: number, failover: boolean): ShardState {
  const { view, words } = job
  const nodes = view.items.get(item)
  const word = words.get(item)?.value
  const jobWord = view.word?.value ?? noJobWord
  const runner = runnerOf(job, item)
  if (runner !== undefined) {
    if (word !== undefined && jobWord.stops?.[item] === word.run) return 'stopping'
    return nodes?.failover === runner ? 'taken-over' : 'running'
  }
  const isLeft = word?.state === 'running' || word?.state === 'crashed'
  if (view.failoverItems.has(item) || (isLeft && failover)) return 'waiting-for-failover'
  if (nodes?.disabled === true) return 'disabled'
  const owner = ownerOf(view, item)
  if (nodes?.hasOwner !== true || owner === undefined) return 'no-owner'
  if (!view.instances.has(owner) || !isServerEnabled(view, serverOf(owner))) return 'owner-away'
  if (isPaused(jobWord, serverOf(owner))) return 'paused'
  if (isLeft) return 'crashed'
  return word?.state === 'abandoned' ? 'abandoned' : 'pending'
}

/** Why an item would not run at its next time, in words; undefined if nothing is in the way. */
export function obstacleOf(job: RunsOfJob, item: number, failover: boolean): Sentence | undefined {
  const { view } = job
  const owner = ownerOf(view, item) ?? ''
  switch (shardState(job, item, failover)) {
    case 'disabled':
      return say`it is disabled: enable it`
    case 'no-owner':
      if (view.instances.size === 0) return say`no instance takes part in the job: start one`
      return say`it has no owner yet: the leader deals the items out`
    case 'owner-away':
      if (isDead(view, owner)) {
        return say`its owner ${owner} is gone: the leader gives it to another`
      }
      if (!view.instances.has(owner)) return say`its owner ${owner} leaves the job`
      return say`its owner ${owner} is on a server that is disabled`
    case 'paused':
      return view.word?.value.paused === true
        ? say`the job is paused: resume it`
        : say`the server ${serverOf(owner)} of its owner is paused: resume it`
    case 'waiting-for-failover':
      return say`its crashed run waits to be taken over`
    case 'running':
    case 'stopping':
    case 'taken-over':
    case 'crashed':
    case 'abandoned':
    case 'pending':
      return undefined
  }
}
