/** The process's surroundings as commands see them, so that a test can be a terminal. */
import process from 'node:process'

export interface Terminal {
  /** What a program would read: results, and nothing else. */
  readonly stdout: NodeJS.WritableStream
  /** What is for people alone: questions, progress, errors. */
  readonly stderr: NodeJS.WritableStream
  readonly stdin: NodeJS.ReadableStream
  /** Whether somebody looks at the output. */
  readonly isScreen: boolean
  /** Whether somebody could answer a question. */
  readonly isInteractive: boolean
  readonly hasColors: boolean
  /** How wide and high the screen is now; without one, as wide as it takes. */
  readonly columns: number
  readonly rows: number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where relative paths begin. */
  readonly directory: string
}

/** For a terminal that does not know how large it is. */
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

/** https://no-color.org: set to anything but nothing, it means none. */
function wantsColors({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}
