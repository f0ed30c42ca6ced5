import { isJavaTimeZone } from '../cron/zone-names.ts'
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'

/**
 * Java accepts only `GMT` and fixed offsets from it. With any other zone a Java instance registers but never schedules
 * the job, so a job in mixed mode must not have one.
 */
export function mixedZoneProblems(timeZone: string | undefined): Problem[] {
  if (timeZone === undefined || isJavaTimeZone(timeZone)) return []
  return [problem('timeZone', message('zone-not-java', { timeZone }))]
}
