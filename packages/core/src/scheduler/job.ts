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

/** What a manual run is asked for. */
export interface RunRequest<Parameter = unknown> extends Omit<ManualRunRequest, 'parameter'> {
  /**
   * The parameter of this run, in place of the job's. A text is stored as it is, another value as JSON. The schema
   * of the job checks it.
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

  /** The configuration that is in effect: the registry's. */
  get configuration(): JobConfiguration {
    return this.#scheduler.context.live.value
  }

  /** The shards that run here. */
  get shardingItems(): readonly number[] {
    return this.#scheduler.shards
  }

  /** Whether this instance leads the job. */
  get isLeader(): boolean {
    return this.#scheduler.isLeader
  }

  /** When the job fires next; undefined for one that waits to be triggered. */
  get nextFireTime(): Date | undefined {
    const time = this.#scheduler.loop.nextFire
    return time === undefined ? undefined : new Date(time)
  }

  /**
   * Runs all shards now, wherever they are, in one manual run; resolves when it is accepted. While a manual run runs
   * the next one waits for it. With a `parameter` in place of `jobParameter` for this manual run.
   */
  async trigger(request: RunRequest<Parameter> = {}): Promise<ManualRun> {
    const { parameter, ...rest } = request
    if (parameter === undefined) return this.#scheduler.trigger(rest)
    return this.#scheduler.trigger({ ...rest, parameter: await this.#textOf(parameter) })
  }

  /**
   * Runs those shards now whose last run has failed, was stopped, or was given up, in one manual run; resolves when it
   * is accepted. An error with the code JOB_NOTHING_FAILED if there is none.
   */
  async rerunFailed({
    parameter,
  }: Pick<RunRequest<Parameter>, 'parameter'> = {}): Promise<ManualRun> {
    if (parameter === undefined) return this.#scheduler.rerunFailed()
    return this.#scheduler.rerunFailed(await this.#textOf(parameter))
  }

  /** Takes no further part in the job, and lets what runs here end. Others go on. */
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
