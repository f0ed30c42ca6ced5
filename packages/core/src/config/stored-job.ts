import type { Message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'

/** A configuration as stored in the registry. */
export interface StoredJob {
  readonly configuration: JobConfiguration
  /** The class in a 2.x configuration. */
  readonly jobClass: string | undefined
  /** The type in a 2.x configuration: SIMPLE, DATAFLOW or SCRIPT. */
  readonly jobType: string | undefined
  /** Warnings about values whose interpretation may surprise their author. */
  readonly warnings: readonly Message[]
}

/** The identity on the root node for a 1.x or 2.x configuration; empty if the configuration has none. */
export function identityOf({ jobType, jobClass }: Pick<StoredJob, 'jobType' | 'jobClass'>): string {
  return jobType === 'SCRIPT' ? 'SCRIPT' : (jobClass ?? '')
}
