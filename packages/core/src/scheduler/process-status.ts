/** Where a process stands at this moment, for whoever watches over it. */
import type { SessionState } from '../registry/registry-client.ts'

/** How one session of this process stands. */
export interface SessionStatus {
  /** The id under which this process is known in it. */
  readonly instance: string
  readonly state: SessionState
  /**
   * For how much longer it is proven that the session lives, in milliseconds; undefined while nothing
   * runs, when nothing has to be proven.
   */
  readonly leaseLeft: number | undefined
  /** Requests that have no answer yet. */
  readonly outstanding: number
  /** How many jobs it has a copy of, and how many nodes these are. */
  readonly replicaJobs: number
  readonly replicaNodes: number
}

/** How one job stands, as this process sees it. */
export interface JobRuntimeStatus {
  readonly jobName: string
  /** Whether this instance leads it. */
  readonly isLeader: boolean
  /** Whether somebody leads it, as far as this process knows. */
  readonly hasLeader: boolean
  /** How many shards this instance owns. */
  readonly shards: number
  /** How many of them are due and have not begun. */
  readonly due: number
}

/** The state of a process: its session and its jobs. */
export interface ProcessStatus {
  readonly sessions: readonly SessionStatus[]
  readonly jobs: readonly JobRuntimeStatus[]
}
