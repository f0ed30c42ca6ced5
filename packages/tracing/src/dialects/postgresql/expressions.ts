import { sql } from 'kysely'

import { ourTimes } from '../../store/clean.ts'
import type { Expressions } from '../dialect.ts'
import { wallClock } from '../wall-time.ts'

/** Java's columns hold local wall-clock time: both sides must agree on its time zone. */
export function expressions(timeZone: string | undefined): Expressions {
  const clock = wallClock(timeZone)
  return {
    times: ourTimes,
    time: (milliseconds) => textOf(clock.shown(milliseconds)),
    readTime: (column) => sql`(extract(epoch from ${column}) * 1000)::float8`,
    timeOf: (value) => clock.timeOf(Number(value)),
    isText: (column, text) => sql`${column} = ${text}`,
    isDetailOfExecution: sql`r.run_id = e.id`,
    floor: (column, multiple) => sql`${column} / ${sql.lit(multiple)} * ${sql.lit(multiple)}`,
    list: (column) => sql`string_agg(${column}::text, ',')`,
    digits: (column) => sql`${column}::text`,
  }
}

/** The last day of year 9999 may be in year 10000 in another zone, which ISO writes with a sign. */
const lastShown = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function textOf(shown: number): string {
  return new Date(Math.min(shown, lastShown)).toISOString().slice(0, -1)
}
