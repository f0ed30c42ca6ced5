/** Converts records into rows of their tables, truncated and cleaned. */
import type { Expressions, FoundTable, Insertion, Row } from '../dialects/dialect.ts'
import { cleanSpan, cleanText, cleanTime, shardList, ourTimes, type TextLimits } from './clean.ts'
import { classOf } from './histogram.ts'
import type { ExecutionRecord, LogChunk, RunRecord, StatusRecord } from './records.ts'
import { executionColumns, type Schema, statusColumns } from './schema.ts'

/** Java's value for the writer of a status, in tables with that column. */
const statusSource = 'LITE_EXECUTOR'

/** The maximum length of a log chunk, regardless of the column: rows are read many at a time. */
const longestChunk = 65_536

const unlimited: TextLimits = { length: undefined, repertoire: 'unicode' }

/** Cleans texts for one table. */
function cleaner(table: FoundTable): (column: string, text: string) => string {
  return (column, text) => cleanText(text, table.columns.get(column)?.text ?? unlimited)
}

export function executionRows(
  { executions, isSuccessBoolean }: Schema,
  { time, times }: Expressions,
  records: readonly ExecutionRecord[],
): Insertion {
  const clean = cleaner(executions)
  const timeOf = (value: number | undefined): string | number | null =>
    value === undefined ? null : time(cleanTime(value, times))
  const rows = records.map((record): Row => [
    clean('id', record.id),
    clean('job_name', record.jobName),
    clean('task_id', record.taskId),
    clean('hostname', record.hostname),
    clean('ip', record.ip),
    record.shardingItem,
    record.source,
    record.failureCause === undefined ? null : clean('failure_cause', record.failureCause),
    successValue(isSuccessBoolean, record.isSuccess),
    timeOf(record.startTime),
    timeOf(record.completeTime),
  ])
  return { table: executions.name, columns: executionColumns, rows }
}

/** Success in the type of the table; PostgreSQL parses the text. */
export function successValue(isBoolean: boolean, isSuccess: boolean): string | number {
  return isBoolean ? String(isSuccess) : Number(isSuccess)
}

export function statusRows(
  { statuses, hasStatusSource }: Schema,
  { time, times }: Expressions,
  records: readonly StatusRecord[],
): Insertion {
  const clean = cleaner(statuses)
  const listLength = statuses.columns.get('sharding_item')?.text.length
  const rows = records.map((record): Row => [
    clean('id', record.id),
    clean('job_name', record.jobName),
    clean('original_task_id', record.originalTaskId),
    clean('task_id', record.taskId),
    clean('slave_id', record.slaveId),
    record.executionType,
    shardList(record.shardingItems, listLength),
    record.state,
    clean('message', record.message),
    time(cleanTime(record.creationTime, times)),
    ...(hasStatusSource ? [statusSource] : []),
  ])
  const columns = hasStatusSource ? [...statusColumns, 'source'] : statusColumns
  return { table: statuses.name, columns, rows }
}

export function runRows({ runs }: Schema, records: readonly RunRecord[]): Insertion {
  const clean = cleaner(runs)
  const timeOf = (value: number | undefined): number | null =>
    value === undefined ? null : cleanTime(value, ourTimes)
  const rows = records.map((record): Row => {
    const lateness = record.lateness === undefined ? null : cleanSpan(record.lateness)
    const duration = record.duration === undefined ? null : cleanSpan(record.duration)
    return [
      record.runId,
      clean('job_name', record.jobName),
      record.shardingItem,
      clean('instance', record.instance),
      record.source,
      cleanTime(record.fireTime, ourTimes),
      record.attempt,
      record.retries,
      record.manualRun ?? null,
      record.fencingToken === undefined ? null : String(record.fencingToken),
      lateness,
      lateness === null ? null : classOf(lateness),
      cleanTime(record.startTime, ourTimes),
      timeOf(record.completeTime),
      duration,
      duration === null ? null : classOf(duration),
      record.outcome ?? null,
    ]
  })
  return { table: runs.name, columns: runColumns, rows }
}

const runColumns = [
  'run_id',
  'job_name',
  'sharding_item',
  'instance',
  'source',
  'fire_time',
  'attempt',
  'retries',
  'round',
  'fencing_token',
  'lateness',
  'lateness_class',
  'start_time',
  'complete_time',
  'duration',
  'duration_class',
  'outcome',
]

export function logRows({ logs }: Schema, chunks: readonly LogChunk[]): Insertion {
  const { repertoire } = logs.columns.get('text')?.text ?? unlimited
  const rows = chunks.map((chunk): Row => {
    const text = cleanText(chunk.text, { length: longestChunk, repertoire })
    return [
      chunk.runId,
      chunk.sequence,
      cleanTime(chunk.time, ourTimes),
      chunk.stream,
      text.length,
      text,
    ]
  })
  return { table: logs.name, columns: logColumns, rows }
}

const logColumns = ['run_id', 'sequence', 'time', 'stream', 'length', 'text']
