/**
 * Wall-clock times of a zone, as in a column without a zone. An hour that occurs twice a year is read as the
 * first: the column does not say which.
 */
export interface WallClock {
  /** The wall-clock time as if it were UTC, in milliseconds. */
  shown(time: number): number
  /** The time at which the wall clock shows this. */
  timeOf(shown: number): number
}

/** Offsets change only at whole quarters of an hour. */
const quarter = 900_000

/** How many quarters are cached: 40 days. */
const remembered = 3840

/** @param timeZone that of this process when undefined. */
export function wallClock(timeZone: string | undefined): WallClock {
  const offsetOf = remember(timeZone === undefined ? localOffset : zoneOffset(timeZone))
  return {
    shown: (time) => time + offsetOf(time),
    timeOf: (shown) => {
      // The later offset first: where the clock is set back both are valid, and this gives the first.
      const early = shown - offsetOf(shown - quarter * 96)
      if (early + offsetOf(early) === shown) return early
      return shown - offsetOf(shown - offsetOf(shown))
    },
  }
}

function localOffset(time: number): number {
  return -new Date(time).getTimezoneOffset() * 60_000
}

function zoneOffset(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (time) => {
    const parts = new Map(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    )
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
    const shown = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
    return shown - Math.floor(time / 1000) * 1000
  }
}

function remember(offsetOf: (time: number) => number): (time: number) => number {
  const known = new Map<number, number>()
  return (time) => {
    const slot = Math.floor(time / quarter)
    const offset = known.get(slot)
    if (offset !== undefined) return offset
    if (known.size >= remembered) known.clear()
    const found = offsetOf(slot * quarter)
    known.set(slot, found)
    return found
  }
}
