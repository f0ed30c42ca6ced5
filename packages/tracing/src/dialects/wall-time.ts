/**
 * Times as a wall clock of some zone shows them, which is what a column without a zone holds. An hour
 * that a clock shows twice a year is read as the first of the two: the column has lost which it was.
 */
export interface WallClock {
  /** What the wall shows, as if it were UTC. In milliseconds. */
  shown(time: number): number
  /** The time at which it shows this. */
  timeOf(shown: number): number
}

/** Offsets change at whole quarters of an hour, wherever they do. */
const quarter = 900_000

/** How many quarters are remembered: 40 days of them. */
const remembered = 3840

/** @param timeZone that of this process when undefined. */
export function wallClock(timeZone: string | undefined): WallClock {
  const offsetOf = remember(timeZone === undefined ? localOffset : zoneOffset(timeZone))
  return {
    shown: (time) => time + offsetOf(time),
    timeOf: (shown) => {
      // The later offset first: where the clock was set back both are right, and this gives the first.
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
