import type {
  ExecutionRecord,
  LogChunk,
  LostRun,
  RunRecord,
  StatusRecord,
} from '../store/records.ts'
import type { RunRecords } from './records-of.ts'

/** The state of a queue entry; a dropped entry was never written. */
type EntryState = 'queued' | 'taken' | 'dropped'

/**
 * Something to write. While it is queued it can be extended: by the end of a run whose start it is, or by the
 * next log line.
 */
export interface Entry {
  state: EntryState
  /** Its approximate memory, in bytes. */
  bytes: number
  execution?: ExecutionRecord
  run?: RunRecord
  statuses: readonly StatusRecord[]
  log?: LogChunk
  lost?: LostRun
  /** Whether it is the end of a run whose start already left the queue: without it, a row stays open. */
  readonly closes: boolean
}

/** The memory of an entry without its longest texts, in bytes. */
const base = 900
/** The memory of a stored character, in bytes. */
const perCharacter = 2

export function runEntry(records: RunRecords, closes: boolean): Entry {
  return { state: 'queued', bytes: bytesOf(records), closes, ...records }
}

/** Adds the end of a run to its queued start, so that the row is written once. */
export function addEnd(entry: Entry, records: RunRecords): void {
  entry.execution = records.execution
  entry.run = records.run
  entry.statuses = [...entry.statuses, ...records.statuses]
  entry.bytes += bytesOf(records) - base
}

export function logEntry(log: LogChunk): Entry {
  return {
    state: 'queued',
    bytes: base / 3 + perCharacter * log.text.length,
    closes: false,
    statuses: [],
    log,
  }
}

/** Appends a line to the queued ones. */
export function addLine(entry: Entry, log: LogChunk, line: string): void {
  entry.log = { ...log, text: `${log.text}\n${line}` }
  entry.bytes += perCharacter * (line.length + 1)
}

export function lostEntry(lost: LostRun, statuses: readonly StatusRecord[]): Entry {
  return { state: 'queued', bytes: base, closes: false, statuses, lost }
}

function bytesOf({ execution, statuses }: RunRecords): number {
  const messages = statuses.reduce((sum, { message }) => sum + message.length, 0)
  return base + perCharacter * ((execution.failureCause?.length ?? 0) + messages)
}
