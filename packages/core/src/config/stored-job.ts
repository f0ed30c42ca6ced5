import type { Message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'

/** A configuration as somebody has stored it. */
export interface StoredJob {
  readonly configuration: JobConfiguration
  /** The class that a 2.x configuration names. */
  readonly jobClass: string | undefined
  /** The type that a 2.x configuration names: SIMPLE, DATAFLOW or SCRIPT. */
  readonly jobType: string | undefined
  /** What was read in a way that its author may not expect. */
  readonly warnings: readonly Message[]
}

/** What the root node of a job says that a 1.x or 2.x configuration describes; empty if that says nothing. */
export function identityOf({ jobType, jobClass }: Pick<StoredJob, 'jobType' | 'jobClass'>): string {
  return jobType === 'SCRIPT' ? 'SCRIPT' : (jobClass ?? '')
}
