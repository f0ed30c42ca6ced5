import type {
  ExecutionRecord,
  LogChunk,
  LostRun,
  RunRecord,
  StatusRecord,
} from '../store/records.ts'
import type { RunRecords } from './records-of.ts'

/** Where an entry of the queue is; what was dropped has never been anywhere else. */
type EntryState = 'queued' | 'taken' | 'dropped'

/**
 * Something to be written. While it is queued, more may be added to it: the end of the run whose
 * beginning it is, the next line of the log.
 */
export interface Entry {
  state: EntryState
  /** About how much memory it takes. */
  bytes: number
  execution?: ExecutionRecord
  run?: RunRecord
  statuses: readonly StatusRecord[]
  log?: LogChunk
  lost?: LostRun
  /** The end of a run whose beginning was taken out of the queue before: without it, a row stays open. */
  readonly closes: boolean
}

/** What an entry and its records take beside their longest texts. */
const base = 900
/** A character of a text that is kept for later. */
const perCharacter = 2

export function runEntry(records: RunRecords, closes: boolean): Entry {
  return { state: 'queued', bytes: bytesOf(records), closes, ...records }
}

/** The beginning of a run that waits, and now its end: one row is written once. */
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

/** The next line behind the ones that wait. */
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
