import { noCatchUp } from '../fire-times/catch-up.ts'
import { type DueContext, windowOf } from '../fire-times/due.ts'
import type { FireHistory } from '../fire-times/fire-history.ts'
import { isPaused, type JobState, noJobState, resumedOn } from '../job-tree/job-state.ts'
import { clockTolerance, type CloseContext } from '../misfire/close-plan.ts'
import type { JobContext } from './job-context.ts'

/** Which fire times of a job count: its schedule in effect, cut by what the job's state says of it. */
export class DueTimes {
  readonly #context: JobContext

  constructor(context: JobContext) {
    this.#context = context
  }

  /** How far back a fire time is still made up for, in milliseconds. */
  get window(): number {
    return windowOf(this.#context.session.client.sessionTimeout)
  }

  /** Whether an operator has paused the schedule of the job, on all servers. */
  get isPaused(): boolean {
    return this.#jobState.paused === true
  }

  /** Nothing is due that was scheduled before the schedule was made. */
  get scheduledSince(): number {
    return this.#isScheduleNoted ? (this.#jobState.schedule?.since ?? 0) : this.#configChanged
  }

  get fireHistory(): FireHistory {
    const { live } = this.#context
    return live.historyOf(this.#jobState, this.#configChanged, this.#isScheduleNoted)
  }

  /** What is due here at a time; `isHeld`: nothing is, for this instance takes no part now. */
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
      // What is not written down cannot be made up for.
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

  /** By what the leader closes the account of a shard whose fire times did not run. */
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
      // While nothing is to fire nothing is due, and what was before that will not be.
      cut: isOff || this.isPaused ? now : Math.max(this.scheduledSince, resumed),
    }
  }

  get #jobState(): JobState {
    return this.#context.replica.jobState?.value ?? noJobState
  }

  get #configChanged(): number {
    return this.#context.replica.config?.mtime ?? 0
  }

  /** Whether the job's state knows the schedule that is in effect. */
  get #isScheduleNoted(): boolean {
    return this.#jobState.schedule?.digest === this.#context.live.schedule.digest
  }
}
