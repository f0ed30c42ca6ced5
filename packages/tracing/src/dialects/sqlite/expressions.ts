import { sql } from 'kysely'

import { ourTimes } from '../../store/clean.ts'
import type { Expressions } from '../dialect.ts'

/** Times are milliseconds since the epoch, as Java's SQLite driver writes them. */
export function expressions(): Expressions {
  return {
    times: ourTimes,
    time: (milliseconds) => milliseconds,
    readTime: (column) => column,
    timeOf: (value) => Number(value),
    isText: (column, text) => sql`${column} = ${text}`,
    isDetailOfExecution: sql`r.run_id = e.id`,
    floor: (column, multiple) => sql`${column} / ${sql.lit(multiple)} * ${sql.lit(multiple)}`,
    list: (column) => sql`group_concat(${column})`,
    digits: (column) => sql`cast(${column} as text)`,
  }
}
