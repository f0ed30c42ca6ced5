import type { JobConfiguration } from '../config/job-configuration.ts'
import type { Round } from '../job-tree/job-word.ts'
import type { RoundRequest } from '../trigger/plan.ts'
import type { JobScheduler } from './job-scheduler.ts'

/** A job that this process takes part in. */
export class Job {
  readonly jobName: string
  readonly #scheduler: JobScheduler
  readonly #stop: () => Promise<void>

  constructor(scheduler: JobScheduler, stop: () => Promise<void>) {
    this.jobName = scheduler.jobName
    this.#scheduler = scheduler
    this.#stop = stop
  }

  /** The configuration that is in effect: the registry's. */
  get configuration(): JobConfiguration {
    return this.#scheduler.configuration
  }

  /** The items that run here. */
  get shardingItems(): readonly number[] {
    return this.#scheduler.items
  }

  /** Whether this instance leads the job. */
  get isLeader(): boolean {
    return this.#scheduler.isLeader
  }

  /** When the job fires next; undefined for one that waits to be triggered. */
  get nextFireTime(): Date | undefined {
    const time = this.#scheduler.nextFire
    return time === undefined ? undefined : new Date(time)
  }

  /**
   * Runs all items now, wherever they are, in one round; resolves when it is accepted. While a round
   * runs the next one waits for it. With a `parameter` in place of `jobParameter` for this round.
   */
  execute(request: RoundRequest = {}): Promise<Round> {
    return this.#scheduler.trigger(request)
  }

  /**
   * Runs those items now whose last run has failed, was stopped, or was given up, in one round; resolves
   * when it is accepted. An error with the code JOB_NOTHING_FAILED if there is none.
   */
  rerunFailed({ parameter }: Pick<RoundRequest, 'parameter'> = {}): Promise<Round> {
    return this.#scheduler.rerunFailed(parameter)
  }

  /** Takes no further part in the job, and lets what runs here end. Others go on. */
  stop(): Promise<void> {
    return this.#stop()
  }
}
