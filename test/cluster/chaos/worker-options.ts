import type { ChaosJob } from './jobs.ts'

/** What a worker of a chaos run is told, as an argument. */
export interface ChaosWorkerOptions {
  /** Its ways to the servers, each of which may be cut. */
  readonly servers: string
  readonly namespace: string
  readonly ip: string
  readonly logFile: string
  readonly sessionTimeout: number
  readonly serverTickTime: number
  readonly abortTime: number
  readonly jobs: readonly ChaosJob[]
  readonly clock: WorkerClock
}

/** How the clock of a worker's machine differs from the true one. */
export interface WorkerClock {
  /** In milliseconds. */
  readonly ahead: number
  /** How much faster it runs: 0.001 is a millisecond a second. */
  readonly drift: number
}

/** What makes it ask for a manual run of the job that is only triggered. */
export const triggerLine = 'trigger'
