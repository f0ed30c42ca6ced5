/** Where a page has ended, as one word for whoever asks for the next. */
import { say } from '@elasticjob/core'
import { HistoryError } from '../errors.ts'

/** The last row that was looked at: its time, and what tells it from others of the same time. */
export interface Position {
  readonly time: number
  readonly tie: string
}

export function encodeCursor({ time, tie }: Position): string {
  return Buffer.from(JSON.stringify([time, tie])).toString('base64url')
}

/** Throws for what no page has ever given. */
export function decodeCursor(cursor: string): Position {
  const [time, tie] = parts(cursor)
  if (typeof time === 'number' && Number.isFinite(time) && typeof tie === 'string')
    return { time, tie }
  throw new HistoryError('HISTORY_QUERY_INVALID', say`The cursor is not one that a page has given.`)
}

function parts(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? (value as unknown[]) : []
  } catch {
    return []
  }
}
