/** The environment of a command, replaceable in tests. */
import process from 'node:process'

export interface Terminal {
  /** Results only, for programs. */
  readonly stdout: NodeJS.WritableStream
  /** For people: questions, progress, errors. */
  readonly stderr: NodeJS.WritableStream
  readonly stdin: NodeJS.ReadableStream
  /** Whether the output is a terminal. */
  readonly isScreen: boolean
  /** Whether a person can answer a question. */
  readonly isInteractive: boolean
  readonly hasColors: boolean
  /** The current size of the terminal; unlimited width without one. */
  readonly columns: number
  readonly rows: number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The base of relative paths. */
  readonly directory: string
}

/** For a terminal that does not report its size. */
const usual = Object.freeze({ columns: 80, rows: 24 })

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  return {
    stdout,
    stderr,
    stdin,
    isScreen: stdout.isTTY,
    isInteractive: stdin.isTTY && stderr.isTTY,
    hasColors: stdout.isTTY && wantsColors(env),
    get columns() {
      return stdout.isTTY ? stdout.columns || usual.columns : Infinity
    },
    get rows() {
      return stdout.isTTY ? stdout.rows || usual.rows : Infinity
    },
    environment: env,
    directory: process.cwd(),
  }
}

/** https://no-color.org: any value but the empty one disables colours. */
function wantsColors({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}
