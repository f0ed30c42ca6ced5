import type { Sentence } from '../sentence.ts'
import type { JobConfiguration } from './job-configuration.ts'

/** A configuration as somebody has stored it. */
export interface StoredJob {
  readonly configuration: JobConfiguration
  /** The class that a 2.x configuration names. */
  readonly jobClass: string | undefined
  /** The type that a 2.x configuration names: SIMPLE, DATAFLOW or SCRIPT. */
  readonly jobType: string | undefined
  /** What was read in a way that its author may not expect. */
  readonly warnings: readonly Sentence[]
}
