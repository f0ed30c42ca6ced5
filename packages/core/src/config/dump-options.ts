import { ConfigurationError, type Problem } from '../errors.ts'
import { problemsOfEach } from './refusal.ts'
import { suggest } from './suggest.ts'

/** The options of the TCP port that serves dumps of job trees, like Java's snapshot service. */
export interface DumpOptions {
  /**
   * The port that answers `dump@{jobName}`; 0 selects a free port.
   * @default none: the port is not opened
   */
  readonly port?: number | undefined
  /**
   * The address of this port, and of the ports that jobs open by `monitor.port`.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined
  /**
   * The token in front of every command: `{token} dump@{jobName}`. Without a token, only the loopback address is
   * allowed.
   * @default none: every user of this machine can request dumps
   */
  readonly token?: string | undefined
}

/** The defaults of `DumpOptions`. */
export const dumpDefaults: Readonly<{ port: undefined; host: string; token: undefined }> =
  Object.freeze({ port: undefined, host: '127.0.0.1', token: undefined })

/** The options with all defaults filled in. */
export interface ResolvedDumpOptions {
  readonly port: number | undefined
  readonly host: string
  readonly token: string | undefined
}

/** Fills in the defaults; throws all problems of the given options. */
export function resolveDump(options: DumpOptions): ResolvedDumpOptions {
  const problems = problemsOfDump({ ...options })
  if (problems.length > 0) throw new ConfigurationError('the dump port', problems)
  const { port, host = dumpDefaults.host, token } = options
  return Object.freeze({ port, host, token })
}

/** All problems of dump options. */
export function problemsOfDump(options: Readonly<Record<string, unknown>>): Problem[] {
  const problems = problemsOfEach(options, problemOf)
  const { host, token } = options
  if (typeof host === 'string' && !isLoopback(host) && token === undefined) {
    problems.push({
      key: 'token',
      message: `it is missing: "${host}" can be reached from elsewhere, and a dump shows what jobs are given`,
    })
  }
  return problems
}

function problemOf(key: string, value: unknown): string | undefined {
  switch (key) {
    case 'port':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= highestPort
        ? undefined
        : `it must be a whole number from 0 to ${highestPort}, not ${String(value)}`
    case 'host':
      return typeof value === 'string' && value.trim() !== ''
        ? undefined
        : 'it must be an address of this machine'
    case 'token':
      return typeof value === 'string' && /^\S{8,256}$/.test(value)
        ? undefined
        : 'it must have from 8 to 256 characters, and no white space'
    default:
      return `there is no such option${suggest(key, Object.keys(dumpDefaults))}`
  }
}

export const highestPort = 65_535

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
