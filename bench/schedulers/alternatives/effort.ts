/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** How many jobs fire each second. */
  readonly jobs: readonly number[]
  readonly seconds: number
  /** With how many jobs each second the search for the most begins, and where it ends. */
  readonly least: number
  readonly most: number
  readonly secondsAtMost: number
  /** How many jobs fire each minute, and how many are held without firing. */
  readonly manyJobs: number
  /** Whether a whole minute is waited for. */
  readonly minute: boolean
  readonly crashes: number
  /** How long is waited for a job to run again with a scheduler's defaults, in milliseconds. */
  readonly timeout: number
  readonly idleSeconds: number
}

const fullEffort: Effort = Object.freeze({
  rounds: 2,
  jobs: Object.freeze([100, 500]),
  seconds: 6,
  least: 1_000,
  most: 8_000,
  secondsAtMost: 5,
  manyJobs: 500,
  minute: true,
  crashes: 3,
  timeout: 65_000,
  idleSeconds: 10,
})

/** Shows that everything works; its figures mean nothing. */
const quickEffort: Effort = Object.freeze({
  rounds: 1,
  jobs: Object.freeze([10]),
  seconds: 2,
  least: 20,
  most: 40,
  secondsAtMost: 2,
  manyJobs: 10,
  minute: false,
  crashes: 1,
  timeout: 18_000,
  idleSeconds: 2,
})

export function effortOf(quick: boolean): Effort {
  return quick ? quickEffort : fullEffort
}
