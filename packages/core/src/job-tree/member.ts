import type { NodeMaker } from '../registry/node-maker.ts'
import type { JobPaths } from './paths.ts'

/** Who makes a plan, and with what. */
export interface Member {
  readonly instance: string
  readonly ip: string
  readonly paths: JobPaths
  readonly make: NodeMaker
}
