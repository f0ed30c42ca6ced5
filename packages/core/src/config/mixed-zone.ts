import { isJavaTimeZone } from '../cron/zone-names.ts'
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'

/**
 * Java takes `GMT` and fixed distances from it alone. With any other zone its instances are registered
 * and never scheduled: a job that they share with ours must not get one.
 */
export function mixedZoneProblems(timeZone: string | undefined): Problem[] {
  if (timeZone === undefined || isJavaTimeZone(timeZone)) return []
  return [problem('timeZone', message('zone-not-java', { timeZone }))]
}
