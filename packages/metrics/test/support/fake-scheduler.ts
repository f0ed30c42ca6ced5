/** Stands for a scheduler, and tells what it is told to tell. */
import { EventEmitter } from 'node:events'

import type { ElasticJob, ElasticJobEvents, RunReference, Standing } from '@elasticjob/core'

export class FakeScheduler extends EventEmitter<ElasticJobEvents> {
  readonly namespace = 'shop'
  jobNames: string[] = []
  time = 0
  stands: Standing = { sessions: [], jobs: [] }

  now(): Date {
    return new Date(this.time)
  }

  standing(): Standing {
    return this.stands
  }

  /** As an exporter takes it. */
  get jobs(): ElasticJob {
    return this as unknown as ElasticJob
  }

  register(jobName: string): void {
    this.emit('job:registered', { jobName, instance: 'me' })
  }

  leave(jobName: string): void {
    this.emit('job:stopped', { jobName, instance: 'me' })
  }
}

export function runOf(changes: Partial<RunReference> = {}): RunReference {
  return {
    jobName: 'sync',
    instance: 'me',
    shardingItem: 0,
    runId: 'run-1',
    source: 'cron',
    fireTime: 0,
    attempt: 1,
    round: undefined,
    fencingToken: undefined,
    claimedAt: 0,
    takenOver: undefined,
    ...changes,
  }
}
