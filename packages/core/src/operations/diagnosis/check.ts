import type { JobDetail } from '../details.ts'
import type { Finding } from './finding.ts'

/** The context of a diagnosis besides the job itself. */
export interface Situation {
  /** The registry's time. */
  readonly now: Date
  /** By how many milliseconds the local clock is ahead of the registry's. */
  readonly clockDifference: number
  /** When the job was created, changed or resumed; no earlier fire time is due. */
  readonly since: Date
  /** Nodes below `instances` without a living session. */
  readonly unproven: readonly string[]
}

/** One check of a job's current state. */
export type Check = (job: JobDetail, situation: Situation) => Finding | undefined
