import { Zone } from './zone.ts'

/** A zone and its name. */
export interface NamedZone {
  readonly name: string
  readonly zone: Zone
}

const zones = new Map<string, Zone>()
/** By the value of `TZ`, which a process may change while it runs. */
const namesOfProcess = new Map<string | undefined, string>()

/** The zone with the given name, or the zone of the process without a name; undefined if the zone is unknown. */
export function findZone(name: string | undefined): NamedZone | undefined {
  const wanted = name ?? zoneOfProcess()
  const known = zones.get(wanted)
  if (known !== undefined) return { name: wanted, zone: known }
  const zone = makeZone(wanted)
  if (zone === undefined) return undefined
  zones.set(wanted, zone)
  return { name: wanted, zone }
}

/**
 * Whether ElasticJob for Java accepts a zone: it requires `GMT` or a fixed offset such as `GMT+08:00`, and refuses IANA
 * names.
 */
export function isJavaTimeZone(zone: string): boolean {
  return fixedOffsetOf(zone) !== undefined
}

function zoneOfProcess(): string {
  const { TZ } = process.env
  let name = namesOfProcess.get(TZ)
  if (name === undefined) {
    const resolved: { timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions()
    // `Intl` has no name if `TZ` is not a known zone; such a process runs in UTC.
    name = resolved.timeZone ?? 'UTC'
    namesOfProcess.set(TZ, name)
  }
  return name
}

function makeZone(name: string): Zone | undefined {
  const fixed = name === 'UTC' ? 0 : fixedOffsetOf(name)
  if (fixed !== undefined) return new Zone(() => fixed)
  // Only newer versions of Node know `+08:00`. An expression must not depend on the version.
  if (/^[+-]/.test(name)) return undefined
  const offsetAt = offsetsByIntl(name)
  return offsetAt === undefined ? undefined : new Zone(offsetAt)
}

/** The forms of `java.util.TimeZone`: `GMT+8`, `GMT+08:00`, `GMT+0800`, `GMT+800`, and `GMT` itself. */
function fixedOffsetOf(name: string): number | undefined {
  if (name === 'GMT' || name === 'GMT0') return 0
  const match = /^GMT([+-])(?:(\d{1,2}):(\d{2})|(\d{1,2})|(\d{1,2})(\d{2}))$/.exec(name)
  if (match === null) return undefined
  const [, sign, ...digits] = match
  const [hours, minutes = 0] = digits.filter((text) => text !== undefined).map(Number)
  if (hours === undefined || hours > 23 || minutes > 59) return undefined
  const seconds = hours * 3600 + minutes * 60
  return sign === '-' ? -seconds : seconds
}

function offsetsByIntl(name: string): ((second: number) => number) | undefined {
  const format = formatOf(name)
  if (format === undefined) return undefined
  return (second) => {
    const part: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(second * 1000)) part[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part
    const wall = Date.UTC(year, month - 1, day, hour, minute, part['second'] ?? 0)
    return wall / 1000 - second
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
