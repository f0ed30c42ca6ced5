import type { Coordination, Step } from '../job-tree/coordination.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import { hasShardStates, missingState } from '../job-tree/missing-state.ts'
import { planStructureRepair } from './structure-plan.ts'

/**
 * So long nodes have to be missing before it is decided what their absence means, in milliseconds: whoever
 * deletes a tree deletes one node after the other.
 */
export const deletionGrace = 1000
/** How often the nodes that nobody watches are looked at because a transaction has missed one. */
const lookInterval = 1000

export interface StructureSettings {
  readonly total: number
  /** The schedule in effect, as the job state names it. */
  readonly scheduleDigest: string
  /** The text of the configuration in effect. */
  readonly configText: string
}

/** Makes again what somebody has deleted of a job that this instance takes part in. Every instance does it. */
export class StructureService {
  readonly #host: Coordination
  /** The job state as it was last seen: pauses and the numbers of triggers outlast its deletion. */
  #lastState: JobState = noJobState
  #configMissingSince: number | undefined
  #isSuspected = false
  #lookedAt = -Infinity

  constructor(host: Coordination) {
    this.#host = host
  }

  /** A transaction has met a node that is not there. */
  nodeMissing(): void {
    this.#isSuspected = true
  }

  step(now: number, settings: StructureSettings): Step {
    const { replica } = this.#host
    if (replica.jobState !== undefined) this.#lastState = replica.jobState.value
    this.#configMissingSince =
      replica.config === undefined ? (this.#configMissingSince ?? now) : undefined
    const configFrom = (this.#configMissingSince ?? Infinity) + deletionGrace
    const configText = configFrom <= now ? settings.configText : undefined
    const state = { configText, jobState: noJobState, hasStates: true }
    const isMissing = planStructureRepair(replica, this.#host.member(), state).paths.length > 0
    const lookFrom = this.#isSuspected ? this.#lookedAt + lookInterval : Infinity
    if (isMissing || lookFrom <= now) return this.#repair(now, settings, configText)
    const next = Math.min(configFrom, lookFrom)
    return next === Infinity ? undefined : next
  }

  async #repair(
    now: number,
    { total, scheduleDigest }: StructureSettings,
    configText: string | undefined,
  ): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    this.#isSuspected = false
    this.#lookedAt = now
    await session.repair()
    const known = { ...this.#lastState, schedule: { digest: scheduleDigest, since: now } }
    const { jobState, hasStates } =
      replica.jobState === undefined
        ? await missingState(this.#host, total, known)
        : { jobState: known, hasStates: await hasShardStates(session, replica.paths) }
    await this.#host.quiet()
    const state = { configText, jobState, hasStates }
    const { paths, operations } = planStructureRepair(replica, this.#host.member(), state)
    if (operations.length === 0) return
    await session.commit(operations)
    emit('reconcile:repaired', { jobName, what: `missing nodes: ${paths.join(', ')}` })
  }
}
