import type { Coordination, Step } from '../job-tree/coordination.ts'
import { type JobState, noJobState } from '../job-tree/job-state.ts'
import { hasShardStates, missingState } from '../job-tree/missing-state.ts'
import { planStructureRepair } from './structure-plan.ts'

/**
 * How long nodes must be missing before their absence is interpreted, in milliseconds: deleting a tree deletes one node
 * after the other.
 */
export const deletionGrace = 1000
/** How often to check the unwatched nodes after a transaction has met a missing one, in milliseconds. */
const lookInterval = 1000

export interface StructureSettings {
  readonly total: number
  /** The digest of the schedule in effect, as in the job state. */
  readonly scheduleDigest: string
  /** The text of the configuration in effect. */
  readonly configText: string
}

/** Recreates deleted nodes of a job that this instance takes part in. Every instance does this, not only the leader. */
export class StructureService {
  readonly #host: Coordination
  /** The last seen job state: pauses and the ids of manual runs survive the deletion of its node. */
  #lastState: JobState = noJobState
  #configMissingSince: number | undefined
  #isSuspected = false
  #lookedAt = -Infinity

  constructor(host: Coordination) {
    this.#host = host
  }

  /** A transaction failed on a missing node. */
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
