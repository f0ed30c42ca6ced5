import type { JobPaths } from './paths.ts'

/** The instance that makes a plan, and the paths of the job's nodes. */
export interface Member {
  readonly instance: string
  readonly ip: string
  readonly paths: JobPaths
}
