import type { JobDetail } from '../details.ts'
import type { Finding } from './finding.ts'

/** What is known beside the job itself. */
export interface Situation {
  /** The registry's time. */
  readonly now: Date
  /** By how many milliseconds the clock here is ahead of the registry's. */
  readonly clockDifference: number
  /** Nothing that was scheduled until then is due: the job was made, changed or resumed then. */
  readonly since: Date
  /** Nodes below `instances` that no session vouches for. */
  readonly unproven: readonly string[]
}

/** One question to a job as it stands. */
export type Check = (job: JobDetail, situation: Situation) => Finding | undefined
