import { ConfigurationError, type Problem } from '../errors.ts'
import { problemsOfEach } from './refusal.ts'
import { suggest } from './suggest.ts'

/** Where the tree of a job can be asked for over TCP, as Java's snapshot service does it. */
export interface DumpOptions {
  /**
   * The port on which `dump@{jobName}` is answered; 0 for one that is free.
   * @default none: it is not opened
   */
  readonly port?: number | undefined
  /**
   * The address that this port, and those that jobs ask for by `monitor.port`, are opened on.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined
  /**
   * What has to stand before a command, such as `{token} dump@{jobName}`. Without one there can be no
   * other address than the loopback's.
   * @default none: whoever is on this machine may ask
   */
  readonly token?: string | undefined
}

/** The defaults of `DumpOptions`. */
export const dumpDefaults: Readonly<{ port: undefined; host: string; token: undefined }> =
  Object.freeze({ port: undefined, host: '127.0.0.1', token: undefined })

/** The same with nothing left out. */
export interface ResolvedDumpOptions {
  readonly port: number | undefined
  readonly host: string
  readonly token: string | undefined
}

/** Fills in what was left out; throws all that is wrong with the rest. */
export function resolveDump(options: DumpOptions): ResolvedDumpOptions {
  const problems = problemsOfDump({ ...options })
  if (problems.length > 0) throw new ConfigurationError('the dump port', problems)
  const { port, host = dumpDefaults.host, token } = options
  return Object.freeze({ port, host, token })
}

/** All that is wrong with options for dumps. */
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
