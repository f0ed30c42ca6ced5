import { ConfigurationError, type Duration, type Logger, type Problem } from '@elasticjob/core'
import { millisecondsOf } from '@elasticjob/core/internal'

import { placeOf } from './config/job-database.ts'
import type { RecorderLimits } from './recorder/recorder.ts'
import type { RetentionPolicy } from './store/history-store.ts'
import type { HistoryOptions } from './store/options.ts'

/** Options of the recording of a process. */
export interface TracingOptions extends HistoryOptions {
  /**
   * The jobs to record; all others are not recorded.
   * @default all jobs
   */
  readonly includeJobNames?: readonly string[] | undefined
  /**
   * The jobs not to record.
   * @default none
   */
  readonly excludeJobNames?: readonly string[] | undefined
  /**
   * Databases that a job may be recorded in because its `jobExtraConfigurations` name them for Java's
   * tracing: `host`, `host:port`, `host/database` or `host:port/database`. A job that names another one, or
   * an SQLite file, is recorded in the database of this process: the registry does not choose where a process
   * connects.
   * @default none
   */
  readonly allowedDatabases?: readonly string[] | undefined
  /**
   * Whether the logger output of runs and the output of scripts are stored with the run.
   * @default true
   */
  readonly logs?: boolean
  /**
   * The maximum number of characters stored of one run's output.
   * @default 262144
   */
  readonly logCharacters?: number
  /**
   * The maximum number of entries (a run, a log chunk) that wait for the database. Beyond it the oldest are
   * dropped.
   * @default 50000
   */
  readonly queueEntries?: number
  /**
   * The approximate maximum memory of these entries, in bytes.
   * @default 67108864
   */
  readonly queueBytes?: number
  /**
   * The number of entries written in one transaction.
   * @default 500
   */
  readonly batchEntries?: number
  /**
   * How long an entry may wait to be written together with others.
   * @default '1s'
   */
  readonly flushInterval?: Duration
  /**
   * How long to write pending entries after everything else has stopped. The scheduler itself waits at most 5
   * seconds.
   * @default '4500ms'
   */
  readonly drainLimit?: Duration
  /**
   * The retention limits, enforced by one of the processes that share the database; false keeps everything
   * forever.
   * @default 30 days, the last 100,000 runs of each job, and 1,000,000,000 characters of logs
   */
  readonly retention?: RetentionPolicy | false
  /**
   * How often to delete records beyond the limits.
   * @default '10m'
   */
  readonly retentionInterval?: Duration
  /**
   * The logger for database failures and dropped records; false for none.
   * @default the console
   */
  readonly logger?: Logger | false
}

const day = 86_400_000

/** The defaults of `TracingOptions`. */
export const tracingDefaults: Readonly<{
  allowedDatabases: readonly string[]
  logs: boolean
  logCharacters: number
  queueEntries: number
  queueBytes: number
  batchEntries: number
  flushInterval: number
  drainLimit: number
  retention: RetentionPolicy
  retentionInterval: number
}> = Object.freeze({
  allowedDatabases: Object.freeze([]),
  logs: true,
  logCharacters: 262_144,
  queueEntries: 50_000,
  queueBytes: 67_108_864,
  batchEntries: 500,
  flushInterval: 1000,
  drainLimit: 4500,
  retention: Object.freeze({ age: 30 * day, count: 100_000, logCharacters: 1_000_000_000 }),
  retentionInterval: 600_000,
})

/** How often to check whether jobs are starting, in milliseconds; nothing is processed while they are. */
const calm = 100
/** The maximum number of notes, and of their characters, that wait for that. */
const intakeNotes = 10_000
const intakeCharacters = 1_000_000
/** The pauses between failed attempts, in milliseconds. */
const firstPause = 100
const longestPause = 10_000
/** The approximate memory of one batch, in bytes; drivers use more. */
const batchBytes = 4_194_304
/** The maximum number of characters of one log line. */
const lineCharacters = 16_384

/** Throws an error with every problem. */
export function checkTracing(options: TracingOptions): void {
  const problems: Problem[] = []
  for (const key of [...counts, ...durations]) {
    const value = options[key]
    const number = durations.some((name) => name === key) ? millisecondsOf(value) : value
    if (value !== undefined && !(Number.isSafeInteger(number) && Number(number) >= 1)) {
      problems.push({ key, message: `it must be an integer ≥ 1, not ${value}` })
    }
  }
  if (options.includeJobNames !== undefined && options.excludeJobNames !== undefined) {
    problems.push({
      key: 'excludeJobNames',
      message: 'set either includeJobNames or excludeJobNames, not both',
    })
  }
  for (const text of options.allowedDatabases ?? []) {
    if (placeOf(text) === undefined) {
      const message = `it must be host, host:port, host/database or host:port/database, not "${text}"`
      problems.push({ key: 'allowedDatabases', message })
    }
  }
  if (problems.length > 0) throw new ConfigurationError('the tracing', problems)
}

const counts = ['logCharacters', 'queueEntries', 'queueBytes', 'batchEntries'] as const
const durations = ['timeout', 'flushInterval', 'drainLimit', 'retentionInterval'] as const

export function limitsOf(options: TracingOptions): RecorderLimits {
  const { logCharacters, queueEntries, queueBytes, batchEntries, flushInterval } = {
    ...tracingDefaults,
    ...options,
  }
  const interval = millisecondsOf(flushInterval)
  return {
    intake: {
      calm,
      timeout: interval,
      notes: intakeNotes,
      characters: intakeCharacters,
    },
    queue: { entries: queueEntries, bytes: queueBytes },
    writer: { batchEntries, batchBytes, interval, firstPause, longestPause },
    log: { runCharacters: logCharacters, lineCharacters },
  }
}

/** Whether a job is recorded here. */
export function isRecorded(
  { includeJobNames, excludeJobNames = [] }: TracingOptions,
  jobName: string,
): boolean {
  return (includeJobNames?.includes(jobName) ?? true) && !excludeJobNames.includes(jobName)
}
