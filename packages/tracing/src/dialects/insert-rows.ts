/** Many rows in few statements. Their text is built by hand: a builder would spend more than the database. */
import { CompiledQuery } from 'kysely'

import type { Database, Insertion, Row } from './dialect.ts'

export interface InsertStyle {
  /** Around the name of a table or a column. */
  readonly quote: '"' | '`'
  /** Whether parameters have numbers, `$1`, instead of being `?`. */
  readonly isNumbered: boolean
  /** How a statement begins. */
  readonly verb: 'insert into' | 'insert ignore into'
  /** What follows the values. */
  readonly after: string
  /** How many rows one statement takes at most. */
  readonly chunk: number
}

/** Returns how many rows the database says it has changed. */
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

/** How much text one statement takes: servers refuse a packet of some megabytes. */
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

/** Statements of the same width and length are the same text, and there are few of them. */
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
