import type { Connection } from '../net/connection.ts'
import type { ServerCore } from '../server-core.ts'
import type { ResolvedServerOptions } from '../server-options.ts'
import type { Statistics } from '../statistics.ts'

/** The data behind the four-letter words. */
export interface ServerReport {
  readonly core: ServerCore
  readonly options: ResolvedServerOptions
  readonly statistics: Statistics
  readonly connections: ReadonlySet<Connection>
  readonly port: number
  /** When the server started, in wall-clock time. */
  readonly startedAt: number
  now(): number
  monotonic(): number
}

/** The reported version, in the format that monitoring tools parse. */
export const version = '3.8.0-elasticjob, built on 2022-02-25 08:49 UTC'

/** Formats a number like a Java double: always with a decimal point. */
export function asDouble(value: number): string {
  const rounded = Number(value.toFixed(4))
  return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded)
}

export function asHex(value: number | bigint): string {
  return `0x${value.toString(16)}`
}

/** Formats a monotonic time like a Java date. */
export function asDate(moment: number, report: ServerReport): string {
  const wall = new Date(report.now() + moment - report.monotonic())
  // From `Sun, 15 Nov 2026 11:12:35 GMT`.
  const [day, date, month, year, time] = wall.toUTCString().split(/,? /)
  return `${day} ${month} ${date} ${time} UTC ${year}`
}
