import { sql } from 'kysely'

import type { TimeLimits } from '../../store/clean.ts'
import type { Expressions } from '../dialect.ts'

/** The range of a TIMESTAMP: from one second after the epoch to the end of 32 bits. */
const timestamps: TimeLimits = Object.freeze({ first: 1000, last: (2 ** 31 - 1) * 1000 })

/**
 * Every connection uses UTC, and the server stores whole seconds: truncated here, because the server would
 * round.
 */
export function expressions(): Expressions {
  return {
    times: timestamps,
    time: (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' '),
    readTime: (column) => sql`unix_timestamp(${column})`,
    timeOf: (value) => Math.round(Number(value) * 1000),
    // The first condition uses an index, whose collation may treat different texts as equal.
    isText: (column, text) =>
      sql`(${column} = ${text} and convert(${column} using utf8mb4) collate utf8mb4_bin = ${text})`,
    // Columns with different collations can be compared only with an explicit collation.
    isDetailOfExecution: sql`r.run_id = convert(e.id using utf8mb4) collate utf8mb4_bin`,
    floor: (column, multiple) => sql`${column} div ${sql.lit(multiple)} * ${sql.lit(multiple)}`,
    list: (column) => sql`group_concat(${column})`,
    digits: (column) => sql`cast(${column} as char)`,
  }
}
