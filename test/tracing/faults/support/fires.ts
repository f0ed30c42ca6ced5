/** Runs of jobs as a scheduler tells of them, as many and as fast as a test wants. */
import { EventEmitter } from 'node:events'

import type { ElasticJob, ElasticJobEvents, RunReference } from '@elasticjob/core'

let made = 0

export class Fires extends EventEmitter<ElasticJobEvents> {
  /** Every run that was told of. */
  readonly runIds: string[] = []
  readonly #name = `${process.pid}-${++made}`

  /** What a recording takes for the scheduler. */
  get jobs(): ElasticJob {
    return this as unknown as ElasticJob
  }

  now(): Date {
    return new Date()
  }

  configurationOf(): undefined {
    return undefined
  }

  /** Runs that begin and end, each with a line of its log; others get their turn between them. */
  async run(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const run = this.begin()
      this.emit('run:logged', { run, level: 'info', message: `line of ${run.runId}` })
      this.end(run)
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  begin(): RunReference {
    const number = this.runIds.length
    const time = Date.now()
    const run: RunReference = {
      jobName: `job-${number % 100}`,
      instance: `10.0.0.1@-@${process.pid}-x`,
      shardingItem: number % 3,
      runId: `${this.#name}-${number}`,
      source: 'cron',
      fireTime: time,
      attempt: 1,
      manualRun: undefined,
      fencingToken: BigInt(number),
      claimedAt: time,
      takenOver: undefined,
    }
    this.runIds.push(run.runId)
    this.emit('run:started', run)
    return run
  }

  end(run: RunReference): void {
    this.emit('run:completed', { outcome: 'success', error: undefined, duration: 1, ...run })
  }
}
