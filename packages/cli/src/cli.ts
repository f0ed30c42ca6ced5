import type { Clock } from './clock.ts'
import type { Output } from './output/output.ts'
import type { Terminal } from './terminal.ts'

/** What every command is given. */
export interface Cli {
  readonly terminal: Terminal
  readonly output: Output
  readonly clock: Clock
}
