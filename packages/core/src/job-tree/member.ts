import type { JobPaths } from './paths.ts'

/** Who makes a plan, and where the job's nodes are. */
export interface Member {
  readonly instance: string
  readonly ip: string
  readonly paths: JobPaths
}
