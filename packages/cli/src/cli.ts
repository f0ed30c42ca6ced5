import type { Clock } from '@elasticjob/core'
import type { Output } from './output/output.ts'
import type { Terminal } from './terminal.ts'

/** The context of every command. */
export interface Cli {
  readonly terminal: Terminal
  readonly output: Output
  readonly clock: Clock
}
