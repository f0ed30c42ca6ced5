/** The status of a shard. */
import type { BrokenNode } from '../job-tree/broken-node.ts'
import { takeoverCandidates } from '../failover/plan.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { availableInstances, isDead, isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import { message, type Message } from '../message.ts'
import { ownerOf } from '../sharding/needs.ts'
import { type RunsOfJob, runnerOf } from './runner.ts'

/** The status in the terms of the consoles of 2.x and 3.x; SHARDING_FLAG: its owner is not present. */
export type ShardStatus = 'DISABLED' | 'RUNNING' | 'SHARDING_FLAG' | 'PENDING'

/** The status in the terms of the console of 1.x. */
export type LegacyShardStatus = 'RUNNING' | 'COMPLETED' | 'PENDING'

/** The activity of a shard, or the reason why it does not run. */
export type ShardPhase =
  | 'running'
  /** An operator has requested the end of its run. */
  | 'stopping'
  /** Runs on an instance that has taken it over from a crashed one. */
  | 'taken-over'
  /** Its instance crashed during the run; another instance will take it over. */
  | 'waiting-for-failover'
  /** Its instance crashed during the run; no instance takes it over, because failover is off. */
  | 'crashed'
  /** Its run was attempted too often; the next fire time starts afresh. */
  | 'abandoned'
  /** Its state is unreadable. The shard does not run until an operator repairs it. */
  | 'unreadable'
  | 'disabled'
  /** No instance owns it. */
  | 'no-owner'
  /** Its owner is gone, is leaving or was disabled; the next resharding assigns it to another instance. */
  | 'owner-away'
  | 'paused'
  /** Nothing prevents its next run. */
  | 'pending'

/** The status of a shard, also of one whose owner is gone or that has no owner: operators look at exactly those. */
export function shardStatus({ view }: RunsOfJob, shard: number): ShardStatus {
  const nodes = view.shards.get(shard)
  if (nodes?.disabled === true) return 'DISABLED'
  if (nodes?.running === true) return 'RUNNING'
  const owner = ownerOf(view, shard)
  return owner === undefined || !view.instances.has(owner) ? 'SHARDING_FLAG' : 'PENDING'
}

export function legacyShardStatus(job: RunsOfJob, shard: number): LegacyShardStatus {
  if (job.view.shards.get(shard)?.running === true) return 'RUNNING'
  return isCompleted(job, shard) ? 'COMPLETED' : 'PENDING'
}

/** Whether the last run of a shard ended successfully. */
export function isCompleted({ shardStates }: RunsOfJob, shard: number): boolean {
  const shardState = shardStates.get(shard)?.value
  return shardState?.state === 'idle' && shardState.outcome === 'success'
}

/** The problem of an unreadable shard state; undefined if it is readable. */
export function brokenShard({ broken }: RunsOfJob, shard: number): BrokenNode | undefined {
  return broken.find((node) => node.kind === 'shard-state' && node.shard === shard)
}

/** `failover`: whether crashed runs are taken over. */
export function shardPhase(job: RunsOfJob, shard: number, failover: boolean): ShardPhase {
  const { view, shardStates } = job
  const nodes = view.shards.get(shard)
  const shardState = shardStates.get(shard)?.value
  const jobState = view.jobState?.value ?? noJobState
  const runner = runnerOf(job, shard)
  if (runner !== undefined) {
    if (shardState !== undefined && jobState.stops?.[shard] === shardState.run) return 'stopping'
    return nodes?.failover === runner ? 'taken-over' : 'running'
  }
  if (brokenShard(job, shard) !== undefined) return 'unreadable'
  const isLeft = shardState?.state === 'running' || shardState?.state === 'crashed'
  if (view.failoverShards.has(shard) || (isLeft && failover)) return 'waiting-for-failover'
  if (nodes?.disabled === true) return 'disabled'
  const owner = ownerOf(view, shard)
  if (nodes?.hasOwner !== true || owner === undefined) return 'no-owner'
  if (!view.instances.has(owner) || !isServerEnabled(view, serverOf(owner))) return 'owner-away'
  if (isPaused(jobState, serverOf(owner))) return 'paused'
  if (isLeft) return 'crashed'
  return shardState?.state === 'abandoned' ? 'abandoned' : 'pending'
}

/** Why a shard would not run at its next fire time, as text; undefined if nothing prevents it. */
export function obstacleOf(job: RunsOfJob, shard: number, failover: boolean): Message | undefined {
  const { view } = job
  const owner = ownerOf(view, shard) ?? ''
  switch (shardPhase(job, shard, failover)) {
    case 'unreadable':
      return message('obstacle-unreadable')
    case 'disabled':
      return message('obstacle-disabled')
    case 'no-owner':
      if (view.instances.size === 0) return message('obstacle-no-instance')
      return message('obstacle-no-owner')
    case 'owner-away':
      if (isDead(view, owner)) {
        return message('obstacle-owner-gone', { instance: owner })
      }
      if (!view.instances.has(owner)) return message('obstacle-owner-leaving', { instance: owner })
      return message('obstacle-owner-disabled', { instance: owner })
    case 'paused':
      return view.jobState?.value.paused === true
        ? message('obstacle-job-paused')
        : message('obstacle-server-paused', { server: serverOf(owner) })
    case 'waiting-for-failover':
      return isTakeoverPaused(view)
        ? message('obstacle-takeover-paused')
        : message('obstacle-takeover')
    case 'running':
    case 'stopping':
    case 'taken-over':
    case 'crashed':
    case 'abandoned':
    case 'pending':
      return undefined
  }
}

/** Whether crashed runs wait for a resume: there are instances that could take over, and all of them are paused. */
function isTakeoverPaused(view: JobView): boolean {
  const isOurs = (instance: string): boolean => !isJavaInstance(instance)
  return takeoverCandidates(view).length === 0 && availableInstances(view).some(isOurs)
}
