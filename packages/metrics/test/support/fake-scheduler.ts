/** A fake scheduler that emits given events. */
import { EventEmitter } from 'node:events'

import type { ElasticJob, ElasticJobEvents, RunReference, ProcessStatus } from '@elasticjob/core'

export class FakeScheduler extends EventEmitter<ElasticJobEvents> {
  readonly namespace = 'shop'
  jobNames: string[] = []
  time = 0
  stands: ProcessStatus = { sessions: [], jobs: [] }

  now(): Date {
    return new Date(this.time)
  }

  status(): ProcessStatus {
    return this.stands
  }

  /** As an exporter expects it. */
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
    manualRun: undefined,
    fencingToken: undefined,
    claimedAt: 0,
    takenOver: undefined,
    ...changes,
  }
}
