import { PassThrough } from 'node:stream'

import type { Terminal } from '../../src/terminal.ts'

/** A terminal that a test looks at and types into. */
export class FakeTerminal implements Terminal {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly stdin = new PassThrough()
  readonly isScreen: boolean
  readonly isInteractive: boolean
  readonly hasColors: boolean
  readonly columns: number
  readonly rows = 24
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  shown = ''
  noted = ''

  constructor(options: Partial<Terminal> = {}) {
    const {
      isScreen = false,
      isInteractive = false,
      hasColors = false,
      columns = Infinity,
    } = options
    const { environment = {}, directory = '/nowhere' } = options
    this.isScreen = isScreen
    this.isInteractive = isInteractive
    this.hasColors = hasColors
    this.columns = columns
    this.environment = environment
    this.directory = directory
    this.stdout.on('data', (chunk: Buffer) => (this.shown += chunk.toString()))
    this.stderr.on('data', (chunk: Buffer) => (this.noted += chunk.toString()))
  }
}
