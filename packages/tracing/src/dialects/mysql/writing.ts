import { CompiledQuery, sql } from 'kysely'

import type { Completion, Database, Row, Writing } from '../dialect.ts'
import { type InsertStyle, insertRows } from '../insert-rows.ts'

const style: Omit<InsertStyle, 'verb'> = {
  quote: '`',
  isNumbered: false,
  after: '',
  chunk: 500,
}

export const writing: Writing = {
  // Values were validated before, so that only duplicate keys are ignored.
  insertNew: (db, insertion) => insertRows(db, insertion, { ...style, verb: 'insert ignore into' }),
  /**
   * Looks up existing rows first. An upsert would use an `auto_id` for each duplicate, and Java's column ends
   * at two billion.
   */
  insertOrComplete: async (db, completion) => {
    const { columns, rows, key, endsWith } = completion
    const keyIndex = columns.indexOf(key)
    const endIndex = columns.indexOf(endsWith)
    const known = await knownKeys(db, completion, keyIndex)
    const isKnown = (row: Row): boolean => known.has(String(row[keyIndex]))
    const fresh = rows.filter((row) => !isKnown(row))
    await insertRows(db, { ...completion, rows: fresh }, { ...style, verb: 'insert into' })
    const ended = rows.filter((row) => isKnown(row) && row[endIndex] !== null)
    for (let index = 0; index < ended.length; index += updateChunk)
      await complete(db, completion, ended.slice(index, index + updateChunk))
  },
}

/** Each row of a statement is looked up among all rows of the statement. */
const updateChunk = 50

async function knownKeys(
  db: Database,
  { table, key, rows }: Completion,
  keyIndex: number,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let index = 0; index < rows.length; index += style.chunk) {
    const keys = rows.slice(index, index + style.chunk).map((row) => row[keyIndex])
    const found = await sql<{ known: string }>`
      select ${sql.ref(key)} as known from ${sql.table(table)}
      where ${sql.ref(key)} in (${sql.join(keys)})`.execute(db)
    for (const row of found.rows) known.add(row.known)
  }
  return known
}

async function complete(
  db: Database,
  { table, columns, key, completed }: Completion,
  rows: readonly Row[],
): Promise<void> {
  const keyIndex = columns.indexOf(key)
  const cases = `case \`${key}\` ${'when ? then ? '.repeat(rows.length)}end`
  const changes = completed.map((column) => `\`${column}\` = ${cases}`).join(', ')
  const keys = rows.map((row) => row[keyIndex])
  const parameters = [
    ...completed.flatMap((column) => {
      const index = columns.indexOf(column)
      return rows.flatMap((row) => [row[keyIndex], row[index]])
    }),
    ...keys,
  ]
  const marks = rows.map(() => '?').join(', ')
  const text = `update \`${table}\` set ${changes} where \`${key}\` in (${marks})`
  await db.executeQuery(CompiledQuery.raw(text, parameters))
}
