/** Formats times for people. */
import { language, t } from '../i18n/i18n.ts'

/** The zone of the reader. */
export const localZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The name of a zone as browsers accept it: Java writes offsets as `GMT+08:00`. */
function browserZone(zone: string): string {
  return /^GMT([+-]\d\d:\d\d)$/.exec(zone)?.[1] ?? zone
}

function format(time: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  const all = { ...options, hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat(language.value, {
      ...all,
      timeZone: browserZone(zone),
    }).format(time)
  } catch {
    // The browser does not know the zone: the time is shown in UTC.
    return `${new Intl.DateTimeFormat(language.value, { ...all, timeZone: 'UTC' }).format(time)} UTC`
  }
}

const seconds = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

export function clockTime(time: number, zone: string = localZone): string {
  return format(time, zone, seconds)
}

export function dateTime(time: number, zone: string = localZone): string {
  return format(time, zone, { ...day, ...seconds })
}

/** For an axis: `20:15`, or `11/15` if it shows days. */
export function minuteText(time: number): string {
  return format(time, localZone, { hour: '2-digit', minute: '2-digit' })
}

export function dayText(time: number): string {
  return format(time, localZone, { month: '2-digit', day: '2-digit' })
}

/** The time of day for today, with the date for other days. */
export function nearTime(time: number, now: number, zone: string = localZone): string {
  const isToday = format(time, zone, day) === format(now, zone, day)
  return isToday
    ? clockTime(time, zone)
    : format(time, zone, { month: '2-digit', day: '2-digit', ...seconds })
}

/** Whether two zones have the same wall-clock time at a moment. */
export function sameClock(time: number, zone: string, other: string = localZone): boolean {
  return dateTime(time, zone) === dateTime(time, other)
}

const units = [
  [86_400_000, 'time.days'],
  [3_600_000, 'time.hours'],
  [60_000, 'time.minutes'],
  [1000, 'time.seconds'],
] as const

/** `3 d 4 h`, `12 min 5 s`, `850 ms`: the two largest units. */
export function duration(milliseconds: number): string {
  const first = units.findIndex(([unit]) => milliseconds >= unit)
  if (first === -1) return t('time.milliseconds', { n: Math.max(0, Math.round(milliseconds)) })
  let rest = milliseconds
  return units
    .slice(first, first + 2)
    .map(([unit, key]) => {
      const n = Math.floor(rest / unit)
      rest -= n * unit
      return n === 0 ? '' : t(key, { n })
    })
    .filter((part) => part !== '')
    .join(' ')
}

/** `in 4 s`, `12 min ago`, `now`. */
export function distance(time: number, now: number): string {
  const away = Math.round((time - now) / 1000) * 1000
  if (away === 0) return t('time.now')
  return away > 0
    ? t('time.in', { span: duration(away) })
    : t('time.ago', { span: duration(-away) })
}

/** `3.2 s` for a run: one number that is comparable within a column. */
export function span(milliseconds: number): string {
  if (milliseconds < 1000) return t('time.milliseconds', { n: Math.round(milliseconds) })
  if (milliseconds < 60_000) return t('time.seconds', { n: (milliseconds / 1000).toFixed(1) })
  return duration(milliseconds)
}
