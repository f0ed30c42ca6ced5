/** The current status of a process, for monitoring. */
import type { SessionState } from '../registry/registry-client.ts'

/** The status of one session of this process. */
export interface SessionStatus {
  /** The instance id of this process in the session. */
  readonly instance: string
  readonly state: SessionState
  /**
   * How much longer the session is proven to be alive, in milliseconds; undefined while nothing runs and no proof is
   * needed.
   */
  readonly leaseLeft: number | undefined
  /** Requests without a response so far. */
  readonly outstanding: number
  /** The number of jobs in the session's replica, and of their nodes. */
  readonly replicaJobs: number
  readonly replicaNodes: number
}

/** The status of one job, as this process sees it. */
export interface JobRuntimeStatus {
  readonly jobName: string
  /** Whether this instance leads the job. */
  readonly isLeader: boolean
  /** Whether the job has a leader, as far as this process knows. */
  readonly hasLeader: boolean
  /** How many shards this instance owns. */
  readonly shards: number
  /** How many of them are due and have not started. */
  readonly due: number
}

/** The status of a process: its sessions and its jobs. */
export interface ProcessStatus {
  readonly sessions: readonly SessionStatus[]
  readonly jobs: readonly JobRuntimeStatus[]
}
