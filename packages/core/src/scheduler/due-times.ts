import { noCatchUp } from '../fire-times/catch-up.ts'
import { type DueContext, windowOf } from '../fire-times/due.ts'
import type { FireHistory } from '../fire-times/fire-history.ts'
import { isPaused, type JobState, noJobState, resumedOn } from '../job-tree/job-state.ts'
import { clockTolerance, type CloseContext } from '../misfire/close-plan.ts'
import type { JobContext } from './job-context.ts'

/** The fire times of a job that count: the schedule in effect, limited by the job state. */
export class DueTimes {
  readonly #context: JobContext

  constructor(context: JobContext) {
    this.#context = context
  }

  /** How long after a fire time the job may still run it, in milliseconds. */
  get window(): number {
    return windowOf(this.#context.session.client.sessionTimeout)
  }

  /** Whether an operator has paused the schedule of the job, on all servers. */
  get isPaused(): boolean {
    return this.#jobState.paused === true
  }

  /** Fire times before the current schedule was stored are not due. */
  get scheduledSince(): number {
    return this.#isScheduleNoted ? (this.#jobState.schedule?.since ?? 0) : this.#configChanged
  }

  get fireHistory(): FireHistory {
    const { live } = this.#context
    return live.historyOf(this.#jobState, this.#configChanged, this.#isScheduleNoted)
  }

  /** The inputs for due runs at a time. `isHeld`: this instance does not take part now, so nothing is due. */
  dueContext(now: number, isHeld: boolean): DueContext {
    const { live, services } = this.#context
    const jobState = this.#jobState
    const since = Math.max(this.scheduledSince, resumedOn(jobState, services.ip))
    const latest = live.schedule.latest(now)
    const oldest = Math.max(now - this.window, since)
    const { monitorExecution, misfire } = live.value
    return {
      now,
      fires: isHeld ? undefined : live.schedule.fires,
      latest: latest !== undefined && latest > oldest ? latest : undefined,
      oldest,
      misfire,
      // Without monitorExecution no shard state records what ran, so missed fire times cannot be caught up.
      catchUp: monitorExecution ? live.limits.catchUp : noCatchUp,
      paused: isPaused(jobState, services.ip),
      since,
      round: isHeld
        ? undefined
        : monitorExecution
          ? jobState.running
          : (jobState.running ?? jobState.previous),
    }
  }

  /** The inputs for the leader to close fire times that did not run. */
  closeContext(now: number): CloseContext {
    const { live } = this.#context
    const { shardingTotalCount: total, misfire } = live.value
    const { resumed = 0, off = [] } = this.#jobState
    const isOff = off.some((period) => period.to === undefined && period.server === undefined)
    return {
      now,
      oldest: now - this.window - clockTolerance,
      misfire,
      catchUp: live.limits.catchUp,
      paused: false,
      history: this.fireHistory,
      total,
      // While the job is off or paused, no fire time is due, and earlier fire times never run.
      cut: isOff || this.isPaused ? now : Math.max(this.scheduledSince, resumed),
    }
  }

  get #jobState(): JobState {
    return this.#context.replica.jobState?.value ?? noJobState
  }

  get #configChanged(): number {
    return this.#context.replica.config?.mtime ?? 0
  }

  /** Whether the job state contains the schedule that is in effect. */
  get #isScheduleNoted(): boolean {
    return this.#jobState.schedule?.digest === this.#context.live.schedule.digest
  }
}
