import { sql } from 'kysely'

import type { TimeLimits } from '../../store/clean.ts'
import type { Expressions } from '../dialect.ts'

/** What a TIMESTAMP can hold: from the second after 1970's first to the day that 32 bits end. */
const timestamps: TimeLimits = Object.freeze({ first: 1000, last: (2 ** 31 - 1) * 1000 })

/** Every connection speaks UTC, and the server keeps whole seconds: cut here, where it would round. */
export function expressions(): Expressions {
  return {
    times: timestamps,
    time: (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' '),
    readTime: (column) => sql`unix_timestamp(${column})`,
    timeOf: (value) => Math.round(Number(value) * 1000),
    // The first finds it by an index, whose collation may take other texts for the same.
    isText: (column, text) =>
      sql`(${column} = ${text} and convert(${column} using utf8mb4) collate utf8mb4_bin = ${text})`,
    // Columns of two collations cannot be compared, unless one is told which to use.
    isDetailOfExecution: sql`r.run_id = convert(e.id using utf8mb4) collate utf8mb4_bin`,
    floor: (column, multiple) => sql`${column} div ${sql.lit(multiple)} * ${sql.lit(multiple)}`,
    list: (column) => sql`group_concat(${column})`,
    digits: (column) => sql`cast(${column} as char)`,
  }
}
