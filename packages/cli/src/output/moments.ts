/** Formats times for people. */

/** `2026-11-15 17:02:10` in a zone, as `parseCron` accepts them; by default that of the process. */
export function dateTime(time: number, timeZone?: string): string {
  const fixed = /^GMT([+-])(\d\d):(\d\d)$/.exec(timeZone ?? '')
  if (fixed !== null) {
    // Not every version of Node supports a zone that is an offset.
    const offset = (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000
    return dateTime(time + (fixed[1] === '-' ? -offset : offset), 'UTC')
  }
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(time)
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? ''
  return (
    `${part('year')}-${part('month')}-${part('day')} ` +
    `${part('hour')}:${part('minute')}:${part('second')}`
  )
}

/** `17:02:10` in the zone of the process. */
export function clockTime(time: number): string {
  return dateTime(time).slice('2026-11-15 '.length)
}

const units: readonly (readonly [milliseconds: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

/** `3 d 4 h`, `12 min 5 s`, `850 ms`: the two largest units. */
export function duration(milliseconds: number): string {
  const first = units.findIndex(([unit]) => milliseconds >= unit)
  if (first === -1) return `${Math.max(0, Math.round(milliseconds))} ms`
  let rest = milliseconds
  return units
    .slice(first, first + 2)
    .map(([unit, name]) => {
      const count = Math.floor(rest / unit)
      rest -= count * unit
      return count === 0 ? '' : `${count} ${name}`
    })
    .filter((part) => part !== '')
    .join(' ')
}

/** `in 4 s`, `12 min ago`, `now`. */
export function distance(time: number, now: number): string {
  const away = Math.round((time - now) / 1000) * 1000
  if (away === 0) return 'now'
  return away > 0 ? `in ${duration(away)}` : `${duration(-away)} ago`
}
