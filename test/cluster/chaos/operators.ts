/** Operators at work during a chaos run: what they change, and which fire times are expected because of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isElasticJobError } from '@elasticjob/core'
import { Operations, type OperationResult } from '@elasticjob/core/operations'
import { ipOf } from '../fleet.ts'
import type { Expectations } from './expectations.ts'
import type { FirstOwned } from './first-owned.ts'
import { type CronJob, cronOf } from './jobs.ts'
import type { OperatorAction, OperatorStep } from './plan.ts'

export interface OperatorsOptions {
  readonly servers: string
  readonly namespace: string
  readonly expectations: Expectations
  readonly firstOwned: FirstOwned
}

const retryEvery = 200
/** Longer than this no operator waits for a registry that is out of reach. */
const longestOutage = 90_000

export class Operators {
  readonly #options: OperatorsOptions
  #busy: Promise<void> = Promise.resolve()
  #actionCount = 0

  constructor(options: OperatorsOptions) {
    this.#options = options
  }

  get actionCount(): number {
    return this.#actionCount
  }

  /** Runs something while no action is in effect: whatever an operator has changed is taken back first. */
  exclusively<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#busy.then(act)
    this.#busy = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }

  /** Keeps operators from work until the answer is called. */
  hold(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.exclusively(() => new Promise<void>(resolve))
    })
  }

  /** Carries out an action, leaves it in effect for a while, and takes it back. */
  act({ action, lasts }: OperatorStep, job: CronJob): Promise<void> {
    return this.exclusively(async () => {
      this.#actionCount += 1
      await this.#carryOut(action, job, lasts)
    })
  }

  #carryOut(action: OperatorAction, job: CronJob, lasts: number): Promise<void> {
    const { jobName, shardingTotalCount: total } = job.options
    switch (action.kind) {
      case 'job disabled':
        return this.#switchOff(job, undefined, lasts, {
          off: (operations) => operations.disable({ job: jobName }),
          on: (operations) => operations.enable({ job: jobName }),
        })
      case 'job paused':
        return this.#switchOff(job, undefined, lasts, {
          off: (operations) => operations.pause({ job: jobName }),
          on: (operations) => operations.resume({ job: jobName }),
        })
      case 'shard disabled': {
        const shard = Math.floor(action.shard * total)
        return this.#switchOff(job, shard, lasts, {
          off: (operations) => operations.disableShard(jobName, shard),
          on: (operations) => operations.enableShard(jobName, shard),
        })
      }
      case 'server paused': {
        const scope = { job: jobName, server: ipOf(action.worker) }
        return this.#changeSchedule(job, job.period, lasts, {
          change: (operations) => operations.pause(scope),
          undo: (operations) => operations.resume(scope),
        })
      }
      case 'server disabled': {
        const scope = { job: jobName, server: ipOf(action.worker) }
        return this.#changeAssignment(lasts, {
          change: (operations) => operations.disable(scope),
          undo: (operations) => operations.enable(scope),
        })
      }
      case 'resharded':
        return this.#changeAssignment(lasts, {
          change: (operations) => operations.reshard(jobName),
          undo: (operations) => operations.reshard(jobName),
        })
      case 'cron changed': {
        const other = job.period === 2000 ? 3000 : 2000
        const set = (period: number) => (operations: Operations) =>
          operations.updateConfiguration(jobName, { cron: cronOf(period) })
        return this.#changeSchedule(job, other, lasts, {
          change: set(other),
          undo: set(job.period),
        })
      }
      case 'shard count lowered':
        return this.#lowerShardCount(job, 1 + Math.floor(action.by * (total - 1)), lasts)
    }
  }

  /** Between the return of one command and the begin of the other nothing of it may start. */
  async #switchOff(
    job: CronJob,
    shard: number | undefined,
    lasts: number,
    { off, on }: Readonly<Record<'off' | 'on', Command>>,
  ): Promise<void> {
    const { expectations } = this.#options
    const { jobName, shardingTotalCount } = job.options
    expectations.suspend(jobName, Date.now(), shard)
    await this.#command(off)
    const from = Date.now()
    await sleep(lasts)
    expectations.forbid({ job: jobName, shard: shard, from, to: Date.now() })
    await this.#command(on)
    this.#expect(job, shard === undefined ? numbersBelow(shardingTotalCount) : [shard], job.period)
  }

  async #changeSchedule(
    job: CronJob,
    period: number,
    lasts: number,
    { change, undo }: Readonly<Record<'change' | 'undo', Command>>,
  ): Promise<void> {
    const { expectations } = this.#options
    const { jobName, shardingTotalCount } = job.options
    const shards = numbersBelow(shardingTotalCount)
    expectations.suspend(jobName, Date.now())
    await this.#command(change)
    // Of a server that is paused nothing is expected, and who owns what is not known here.
    if (period !== job.period) this.#expect(job, shards, period)
    await sleep(lasts)
    expectations.suspend(jobName, Date.now())
    await this.#command(undo)
    this.#expect(job, shards, job.period)
  }

  /** Who runs what changes, and when it runs does not. */
  async #changeAssignment(
    lasts: number,
    { change, undo }: Readonly<Record<'change' | 'undo', Command>>,
  ): Promise<void> {
    await this.#command(change)
    await sleep(lasts)
    await this.#command(undo)
  }

  async #lowerShardCount(job: CronJob, count: number, lasts: number): Promise<void> {
    const { expectations, firstOwned } = this.#options
    const { jobName, shardingTotalCount } = job.options
    const surplus = numbersBelow(shardingTotalCount).filter((shard) => shard >= count)
    for (const shard of surplus) expectations.suspend(jobName, Date.now(), shard)
    await this.#command((operations) =>
      operations.updateConfiguration(jobName, { shardingTotalCount: count }),
    )
    await sleep(lasts)
    await this.#command((operations) =>
      operations.updateConfiguration(jobName, { shardingTotalCount }),
    )
    await Promise.all(surplus.map((shard) => firstOwned(jobName, shard)))
    this.#expect(job, surplus, job.period)
  }

  /**
   * Undoes every action once more. The instance that creates a job after a loss of data writes the settings that it
   * knows, and an instance that was cut off may not know the last change.
   */
  async restoreSettings(jobs: readonly CronJob[]): Promise<void> {
    for (const { options, period } of jobs) {
      const { jobName, shardingTotalCount } = options
      await this.#command((operations) =>
        operations.updateConfiguration(jobName, { cron: cronOf(period), shardingTotalCount }),
      )
      await this.#command((operations) => operations.enable({ job: jobName }))
      await this.#command((operations) => operations.resume({ job: jobName }))
      for (const shard of numbersBelow(shardingTotalCount)) {
        await this.#command((operations) => operations.enableShard(jobName, shard))
      }
    }
  }

  #expect(job: CronJob, shards: readonly number[], period: number): void {
    const from = Date.now()
    for (const shardingItem of shards) {
      this.#options.expectations.expect({
        job: job.options.jobName,
        shard: shardingItem,
        from,
        period,
      })
    }
  }

  /** Repeats a command until the registry has taken it: what it changes may be changed from its begin on. */
  async #command(command: Command): Promise<void> {
    const { servers, namespace } = this.#options
    const giveUp = Date.now() + longestOutage
    for (;;) {
      try {
        await using operations = await Operations.connect({ servers, namespace })
        const result = await command(operations)
        const failed = 'failed' in result ? result.failed : []
        if (failed.length === 0) return
        throw new Error(failed.map(({ reason }) => reason).join('; '))
      } catch (error) {
        // A server that has taken part in nothing yet has nothing to be switched off.
        if (isElasticJobError(error, 'JOB_SERVER_NOT_FOUND')) return
        if (Date.now() > giveUp) throw error
        await sleep(retryEvery)
      }
    }
  }
}

type Command = (operations: Operations) => Promise<OperationResult | object>

function numbersBelow(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number)
}
