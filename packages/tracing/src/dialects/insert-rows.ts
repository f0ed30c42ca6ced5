/**
 * Inserts many rows with few statements. Builds the SQL text by hand: a query builder would take longer than
 * the database.
 */
import { CompiledQuery } from 'kysely'

import type { Database, Insertion, Row } from './dialect.ts'

export interface InsertStyle {
  /** The quote character of identifiers. */
  readonly quote: '"' | '`'
  /** Whether parameters are numbered, `$1`, instead of `?`. */
  readonly isNumbered: boolean
  /** The beginning of the statement. */
  readonly verb: 'insert into' | 'insert ignore into'
  /** The end of the statement, after the values. */
  readonly after: string
  /** The maximum number of rows per statement. */
  readonly chunk: number
}

/** Returns the number of changed rows, as reported by the database. */
export async function insertRows(
  db: Database,
  { table, columns, rows }: Insertion,
  style: InsertStyle,
): Promise<number> {
  const quoted = (name: string): string => `${style.quote}${name}${style.quote}`
  const before = `${style.verb} ${quoted(table)} (${columns.map(quoted).join(', ')}) values `
  let changed = 0
  for (const chunk of chunksOf(rows, style.chunk)) {
    const values = style.isNumbered
      ? numbered(chunk.length, columns.length)
      : marks(chunk.length, columns.length)
    const query = CompiledQuery.raw(`${before}${values} ${style.after}`, chunk.flat())
    const { numAffectedRows } = await db.executeQuery(query)
    changed += Number(numAffectedRows ?? 0)
  }
  return changed
}

/** The maximum length of a statement: servers refuse packets of some megabytes. */
const longestStatement = 262_144

function* chunksOf(rows: readonly Row[], longest: number): Generator<readonly Row[]> {
  let chunk: Row[] = []
  let length = 0
  for (const row of rows) {
    const rowLength = row.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 8),
      0,
    )
    if (chunk.length === longest || (chunk.length > 0 && length + rowLength > longestStatement)) {
      yield chunk
      chunk = []
      length = 0
    }
    chunk.push(row)
    length += rowLength
  }
  if (chunk.length > 0) yield chunk
}

function marks(rows: number, columns: number): string {
  const row = `(${'?, '.repeat(columns - 1)}?)`
  return `${`${row}, `.repeat(rows - 1)}${row}`
}

/** Caches statement texts: few combinations of width and length occur. */
const numberedTexts = new Map<string, string>()

function numbered(rows: number, columns: number): string {
  const key = `${rows}x${columns}`
  const known = numberedTexts.get(key)
  if (known !== undefined) return known
  const row = (index: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`).join(', ')})`
  const text = Array.from({ length: rows }, (_, index) => row(index)).join(', ')
  numberedTexts.set(key, text)
  return text
}
