/**
 * Detects records that no table can store and that must not be truncated: a truncated name would be another
 * name. A recorder checks a record before it queues it, so that an invalid one does not block its batch.
 */
import { HistoryError } from '../errors.ts'
import type {
  Batch,
  ExecutionRecord,
  LogChunk,
  LostRun,
  RunRecord,
  StatusRecord,
} from './records.ts'

/** The lengths of Java's columns. */
const longestId = 40
const longestJobName = 100
const lastShard = 2 ** 31 - 1
const lastToken = 2n ** 63n - 1n

/** Returns what is wrong with a record; undefined if it can be stored. */
export function problemOfExecution(record: ExecutionRecord): string | undefined {
  return (
    nameProblem('id', record.id, longestId) ??
    nameProblem('jobName', record.jobName, longestJobName) ??
    shardProblem(record.shardingItem) ??
    timeProblem('startTime', record.startTime) ??
    timeProblem('completeTime', record.completeTime)
  )
}

function problemOfStatus(record: StatusRecord): string | undefined {
  return (
    nameProblem('id', record.id, longestId) ??
    nameProblem('jobName', record.jobName, longestJobName) ??
    first(record.shardingItems.map(shardProblem)) ??
    timeProblem('creationTime', record.creationTime)
  )
}

function problemOfRun(record: RunRecord): string | undefined {
  return (
    nameProblem('runId', record.runId, longestId) ??
    nameProblem('jobName', record.jobName, longestJobName) ??
    shardProblem(record.shardingItem) ??
    timeProblem('fireTime', record.fireTime) ??
    timeProblem('startTime', record.startTime) ??
    timeProblem('completeTime', record.completeTime) ??
    timeProblem('duration', record.duration) ??
    timeProblem('lateness', record.lateness) ??
    countProblem('attempt', record.attempt) ??
    countProblem('retries', record.retries) ??
    countProblem('manualRun', record.manualRun) ??
    tokenProblem(record.fencingToken)
  )
}

function problemOfLog(chunk: LogChunk): string | undefined {
  return (
    nameProblem('runId', chunk.runId, longestId) ??
    countProblem('sequence', chunk.sequence) ??
    timeProblem('time', chunk.time)
  )
}

function problemOfLost(run: LostRun): string | undefined {
  return (
    nameProblem('runId', run.runId, longestId) ??
    nameProblem('jobName', run.jobName, longestJobName) ??
    shardProblem(run.shardingItem) ??
    timeProblem('fireTime', run.fireTime) ??
    countProblem('attempt', run.attempt) ??
    countProblem('manualRun', run.manualRun) ??
    timeProblem('startTime', run.startTime) ??
    timeProblem('time', run.time)
  )
}

/** Throws for the first invalid record. */
export function checkBatch(batch: Batch): void {
  const problem =
    nameProblem('writer', batch.writer, longestId) ??
    countProblem('sequence', batch.sequence) ??
    listProblem('executions', batch.executions, problemOfExecution) ??
    listProblem('statuses', batch.statuses, problemOfStatus) ??
    listProblem('runs', batch.runs, problemOfRun) ??
    listProblem('logs', batch.logs, problemOfLog) ??
    listProblem('lost', batch.lost, problemOfLost)
  if (problem !== undefined) refuse(problem)
}

export function checkLost(runs: readonly LostRun[]): void {
  const problem = listProblem('lost', runs, problemOfLost)
  if (problem !== undefined) refuse(problem)
}

function refuse(problem: string): never {
  throw new HistoryError('HISTORY_RECORD_INVALID', `A record cannot be stored: ${problem}.`)
}

function listProblem<Entry>(
  list: string,
  entries: readonly Entry[],
  problemOf: (entry: Entry) => string | undefined,
): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const problem = problemOf(entry)
    if (problem !== undefined) return `${list}[${index}].${problem}`
  }
  return undefined
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined)
}

function nameProblem(field: string, name: string, longest: number): string | undefined {
  if (name === '') return `${field} is empty`
  if (name.length > longest)
    return `${field} has ${name.length} characters, the limit is ${longest}`
  // A database would refuse it, or return another name than it received.
  if (name.includes('\0') || !isWellFormed(name)) return `${field} contains an invalid character`
  return undefined
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

function shardProblem(shard: number): string | undefined {
  const isShard = Number.isInteger(shard) && shard >= 0 && shard <= lastShard
  return isShard ? undefined : `shardingItem is ${shard}, which is not a valid shard number`
}

function timeProblem(field: string, time: number | undefined): string | undefined {
  return time === undefined || Number.isFinite(time)
    ? undefined
    : `${field} is ${time}, which is not a valid time`
}

function countProblem(field: string, count: number | undefined): string | undefined {
  const isCount = count === undefined || (Number.isSafeInteger(count) && count >= 0)
  return isCount ? undefined : `${field} is ${count}, which is not a valid count`
}

function tokenProblem(token: bigint | undefined): string | undefined {
  const isToken = token === undefined || (token >= 0n && token <= lastToken)
  return isToken ? undefined : `fencingToken is ${token}, which exceeds the range of its column`
}
