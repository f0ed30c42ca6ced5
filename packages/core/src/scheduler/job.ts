import type { JobConfiguration } from '../config/job-configuration.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import {
  parameterOf,
  type StandardSchema,
  storedParameter,
  validParameter,
} from '../job-types/parameter.ts'
import type { ManualRunRequest } from '../trigger/plan.ts'
import type { JobScheduler } from './job-scheduler.ts'

/** The options of a manual run. */
export interface RunRequest<Parameter = unknown> extends Omit<ManualRunRequest, 'parameter'> {
  /**
   * The parameter of this run, instead of the job's. Text is stored unchanged, any other value as JSON. The schema of
   * the job checks it.
   * @default the parameter of the job
   */
  readonly parameter?: Parameter | string | undefined
}

/** A job that this process takes part in. */
export class Job<Parameter = unknown> {
  readonly jobName: string
  readonly #scheduler: JobScheduler
  readonly #schema: StandardSchema<Parameter> | undefined

  constructor(scheduler: JobScheduler, schema: StandardSchema<Parameter> | undefined) {
    this.jobName = scheduler.context.jobName
    this.#scheduler = scheduler
    this.#schema = schema
  }

  /** The configuration in effect, as the registry stores it. */
  get configuration(): JobConfiguration {
    return this.#scheduler.context.live.value
  }

  /** The shards that this instance owns. */
  get shardingItems(): readonly number[] {
    return this.#scheduler.shards
  }

  /** Whether this instance leads the job. */
  get isLeader(): boolean {
    return this.#scheduler.isLeader
  }

  /** The next fire time of the job; undefined for a job without a cron expression. */
  get nextFireTime(): Date | undefined {
    const time = this.#scheduler.loop.nextFire
    return time === undefined ? undefined : new Date(time)
  }

  /**
   * Runs all shards now, on their owners, as one manual run; resolves when the request is accepted. A manual run waits
   * until the previous one has ended. `parameter` replaces `jobParameter` for this manual run.
   */
  async trigger(request: RunRequest<Parameter> = {}): Promise<ManualRun> {
    const { parameter, ...rest } = request
    if (parameter === undefined) return this.#scheduler.trigger(rest)
    return this.#scheduler.trigger({ ...rest, parameter: await this.#textOf(parameter) })
  }

  /**
   * Runs the shards now whose last run failed, was stopped or was abandoned, as one manual run; resolves when the
   * request is accepted. Throws JOB_NOTHING_FAILED if there are none.
   */
  async rerunFailed({
    parameter,
  }: Pick<RunRequest<Parameter>, 'parameter'> = {}): Promise<ManualRun> {
    if (parameter === undefined) return this.#scheduler.rerunFailed()
    return this.#scheduler.rerunFailed(await this.#textOf(parameter))
  }

  /** Leaves the job and drains its runs on this instance. Other instances continue. */
  stop(): Promise<void> {
    const { context, membership } = this.#scheduler
    return membership.stop(context.services.stopLimit)
  }

  async #textOf(parameter: Parameter | string): Promise<string> {
    const text = storedParameter(this.jobName, parameter)
    if (this.#schema !== undefined) {
      await validParameter(this.jobName, this.#schema, parameterOf(text))
    }
    return text
  }
}
