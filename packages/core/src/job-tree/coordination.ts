import type { Emit } from '../events.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { JobHealth } from './job-health.ts'
import type { Member } from './member.ts'
import type { JobReplica } from './replica.ts'

/** What the services of one job share. */
export interface Coordination {
  readonly jobName: string
  readonly session: RegistrySession
  readonly replica: JobReplica
  readonly emit: Emit
  /** Which of the job's nodes cannot be read. */
  readonly health: JobHealth
  /** Who this instance is now: another one after every lost session. */
  member(): Member
  /** Something is different: let all services look again. */
  changed(): void
  /** Something is different about shards of ours alone: let them be looked at. */
  look(): void
  /** A transaction has met a node that is not there: perhaps somebody has deleted it. */
  nodeMissing(): void
  /** Resolves when the replica shows what the server has; rejects when the job has stopped or is broken. */
  quiet(): Promise<void>
}

/** What a service wants about a job: a transaction that is under way, a look at a later time, or nothing. */
export type Step = Promise<void> | number | undefined
