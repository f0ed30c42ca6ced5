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
}

/** What makes it ask for a round of the job that is only triggered. */
export const triggerLine = 'trigger'
