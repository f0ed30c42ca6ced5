/** Reads a table in pages from its newest row to its oldest, along an index, with additional filters. */
import { type RawBuilder, sql } from 'kysely'

import type { Database, Expressions } from '../dialects/dialect.ts'
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'
import { cleanTime } from './clean.ts'
import { decodeCursor, encodeCursor, type Position } from './cursor.ts'
import type { Page, PageRequest, TimeRange } from './queries.ts'

/** The number of rows that one page reads for a filter without an index: a fraction of a second. */
const longestScan = 5000

const longestPage = 1000
const defaultPage = 50

export interface Scan {
  readonly table: string
  readonly time: string
  readonly tie: string
  readonly columns: RawBuilder<unknown>
  readonly range: TimeRange
  /** Conditions that an index begins with. */
  readonly indexed: readonly RawBuilder<boolean>[]
  /** Conditions that are checked for each row. The row is `e`. */
  readonly filters: readonly RawBuilder<boolean>[]
  readonly page: PageRequest
}

/** The position columns of every row. */
interface Placed {
  readonly position_time: unknown
  readonly position_tie: string | number
}

export async function scan<Row>(
  db: Database,
  expressions: Expressions,
  request: Scan,
): Promise<Page<Row>> {
  const limit = pageLimit(request.page.limit)
  const { cursor } = request.page
  const start = cursor === undefined ? undefined : decodeCursor(cursor)
  if (request.filters.length > 0) return filtered(db, expressions, request, limit, start)
  const { rows } = await sql<Row & Placed>`
    select ${request.columns}, ${place(expressions, request)}
    ${rowsAfter(expressions, request, start, limit + 1)}`.execute(db)
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { rows: kept, next: hasMore ? encodeCursor(positionOf(expressions, last)) : undefined }
}

/** Reads more and more rows until a page is full: a filter that matches most rows needs few. */
async function filtered<Row>(
  db: Database,
  expressions: Expressions,
  request: Scan,
  limit: number,
  start: Position | undefined,
): Promise<Page<Row>> {
  const ties: (string | number)[] = []
  let position = start
  for (let seen = 0, size = limit * 2; seen < longestScan; seen += size, size *= 4) {
    size = Math.min(size, longestScan - seen)
    const { rows } = await sql<Placed & { readonly fits: number }>`
      select case when ${sql.join([...request.filters], sql` and `)} then 1 else 0 end as fits,
        ${place(expressions, request)}
      ${rowsAfter(expressions, request, position, size)}`.execute(db)
    for (const row of rows) {
      position = positionOf(expressions, row)
      if (row.fits === 1) ties.push(row.position_tie)
      if (ties.length === limit)
        return { rows: await fetchRows(db, request, ties), next: encodeCursor(position) }
    }
    if (rows.length < size) return { rows: await fetchRows(db, request, ties), next: undefined }
  }
  const next = position === undefined ? undefined : encodeCursor(position)
  return { rows: await fetchRows(db, request, ties), next }
}

/** The rows themselves, in the order in which they were found. */
async function fetchRows<Row>(
  db: Database,
  { table, tie, columns }: Scan,
  ties: readonly (string | number)[],
): Promise<readonly Row[]> {
  if (ties.length === 0) return []
  const { rows } = await sql<Row & { readonly found_tie: string | number }>`
    select ${columns}, ${column(tie)} as found_tie from ${sql.table(table)} e
    where ${column(tie)} in (${sql.join([...ties])})`.execute(db)
  const byTie = new Map(rows.map((row) => [row.found_tie, row]))
  return ties.flatMap((found) => byTie.get(found) ?? [])
}

function place({ readTime }: Expressions, { time, tie }: Scan): RawBuilder<unknown> {
  return sql`${readTime(column(time))} as position_time, ${column(tie)} as position_tie`
}

function rowsAfter(
  expressions: Expressions,
  request: Scan,
  position: Position | undefined,
  length: number,
): RawBuilder<unknown> {
  return sql`from ${sql.table(request.table)} e
    ${where([...request.indexed, ...bounds(expressions, request, position)])}
    order by ${column(request.time)} desc, ${column(request.tie)} desc limit ${sql.lit(length)}`
}

function positionOf({ timeOf }: Expressions, row: Placed): Position {
  return { time: timeOf(row.position_time), tie: String(row.position_tie) }
}

/** The window, and the rows after the position. */
function bounds(
  { time, times }: Expressions,
  { range, time: timeName, tie: tieName }: Scan,
  position: Position | undefined,
): readonly RawBuilder<boolean>[] {
  const at = column(timeName)
  const value = (milliseconds: number): string | number => time(cleanTime(milliseconds, times))
  const conditions: RawBuilder<boolean>[] = []
  if (range.from !== undefined) conditions.push(sql`${at} >= ${value(timeOfQuery(range.from))}`)
  if (range.to !== undefined) conditions.push(sql`${at} < ${value(timeOfQuery(range.to))}`)
  if (position !== undefined) {
    const last = value(position.time)
    const tie = tieName === 'id' ? position.tie : Number(position.tie)
    conditions.push(sql`${at} <= ${last} and (${at} < ${last} or ${column(tieName)} < ${tie})`)
  }
  // A row without a time has no position.
  if (conditions.length === 0) conditions.push(sql`${at} is not null`)
  return conditions
}

/** Empty without conditions. */
export function where(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** A column of the table that is read. */
export function column(name: string): RawBuilder<unknown> {
  return sql`${sql.ref(`e.${name}`)}`
}

export function pageLimit(
  limit: number | undefined,
  longest: number = longestPage,
  usual: number = defaultPage,
): number {
  if (limit === undefined) return usual
  if (Number.isInteger(limit) && limit >= 1 && limit <= longest) return limit
  throw new HistoryError(
    'HISTORY_QUERY_INVALID',
    message('limit-invalid', { most: longest, limit }),
  )
}

export function timeOfQuery(time: number): number {
  if (Number.isFinite(time)) return time
  throw new HistoryError('HISTORY_QUERY_INVALID', message('query-time-invalid', { time }))
}
