/** Encodes the end of a page as an opaque text for the next request. */
import { HistoryError } from '../errors.ts'
import { message } from '../message.ts'

/** The last row of a page: its time, and the key that orders rows of the same time. */
export interface Position {
  readonly time: number
  readonly tie: string
}

export function encodeCursor({ time, tie }: Position): string {
  return Buffer.from(JSON.stringify([time, tie])).toString('base64url')
}

/** Throws for an invalid cursor. */
export function decodeCursor(cursor: string): Position {
  const [time, tie] = parts(cursor)
  if (typeof time === 'number' && Number.isFinite(time) && typeof tie === 'string')
    return { time, tie }
  throw new HistoryError('HISTORY_QUERY_INVALID', message('cursor-invalid'))
}

function parts(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? (value as unknown[]) : []
  } catch {
    return []
  }
}
