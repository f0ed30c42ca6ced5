/** The schedule of a job in words. */
import { parseCron } from '@elasticjob/core/cron'

import { dateTime, distance } from './moments.ts'

/** `every 10 seconds`; the expression itself if it is invalid. */
export function describeSchedule(cron: string | undefined, timeZone: string | undefined): string {
  if (cron === undefined) return 'when triggered'
  const zone = timeZone === undefined ? '' : ` (${timeZone})`
  try {
    return `${parseCron(cron).describe()}${zone}`
  } catch {
    // An invalid expression is reported as a problem of the job.
    return cron
  }
}

/** `17:02:10 (in 4 s)` today, with the date on other days. */
export function fireText(time: Date | undefined, now: number): string {
  if (time === undefined) return '-'
  const at = dateTime(time.getTime())
  const today = dateTime(now).slice(0, 'yyyy-mm-dd'.length)
  const shown = at.startsWith(today) ? at.slice(today.length + 1) : at
  return `${shown} (${distance(time.getTime(), now)})`
}
