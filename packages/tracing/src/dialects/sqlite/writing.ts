import type { Writing } from '../dialect.ts'
import { type InsertStyle, insertRows } from '../insert-rows.ts'

const style: Omit<InsertStyle, 'after'> = {
  verb: 'insert into',
  quote: '"',
  isNumbered: false,
  chunk: 200,
}

export const writing: Writing = {
  insertNew: (db, insertion) =>
    insertRows(db, insertion, { ...style, after: 'on conflict do nothing' }),
  insertOrComplete: async (db, completion) => {
    const { key, completed, endsWith } = completion
    const changes = completed.map((column) => `"${column}" = excluded."${column}"`).join(', ')
    const after = `on conflict ("${key}") do update set ${changes} where excluded."${endsWith}" is not null`
    await insertRows(db, completion, { ...style, after })
  },
}
