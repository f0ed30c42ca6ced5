import type { Emit } from '../events.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { JobHealth } from './job-health.ts'
import type { Member } from './member.ts'
import type { JobReplica } from './replica.ts'

/** The dependencies that the services of one job share. */
export interface Coordination {
  readonly jobName: string
  readonly session: RegistrySession
  readonly replica: JobReplica
  readonly emit: Emit
  /** Which of the job's nodes cannot be read. */
  readonly health: JobHealth
  /** The identity of this instance; it changes with every lost session. */
  member(): Member
  /** Something has changed: all services check again. */
  changed(): void
  /** Something has changed that concerns only the shards of this instance: check these. */
  look(): void
  /** A transaction has failed on a missing node, which may have been deleted. */
  nodeMissing(): void
  /** Resolves when the replica is in sync with the server; rejects when the job has stopped or is broken. */
  quiet(): Promise<void>
}

/** The result of a service's step: a transaction in progress, the time of the next check, or nothing to do. */
export type Step = Promise<void> | number | undefined
