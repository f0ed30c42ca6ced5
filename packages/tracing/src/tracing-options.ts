import { ConfigurationError, type Logger, type Problem } from '@elasticjob/core'

import type { RecorderLimits } from './recorder/recorder.ts'
import type { RetentionPolicy } from './store/history-store.ts'
import type { HistoryOptions } from './store/options.ts'

/** How the history of a process is recorded. */
export interface TracingOptions extends HistoryOptions {
  /**
   * The jobs that are recorded, and no others.
   * @default all jobs
   */
  readonly includeJobNames?: readonly string[] | undefined
  /**
   * The jobs that are not recorded.
   * @default none
   */
  readonly excludeJobNames?: readonly string[] | undefined
  /**
   * Whether a job whose `jobExtraConfigurations` name a database for Java's tracing is recorded there,
   * as its Java instances do it, and not in the one of this process.
   * @default true
   */
  readonly followJobs?: boolean
  /**
   * Whether what runs write to their logger, and scripts print, is kept with the run.
   * @default true
   */
  readonly logs?: boolean
  /**
   * How many characters are kept of what one run writes.
   * @default 262144
   */
  readonly logCharacters?: number
  /**
   * How many entries may wait for the database: a run, a piece of a log. Beyond it the oldest go.
   * @default 50000
   */
  readonly queueEntries?: number
  /**
   * About how many bytes of memory they may take.
   * @default 67108864
   */
  readonly queueBytes?: number
  /**
   * How many entries are written in one transaction.
   * @default 500
   */
  readonly batchEntries?: number
  /**
   * How long something may wait for others that are written with it, in milliseconds.
   * @default 1000
   */
  readonly flushInterval?: number
  /**
   * How long it is tried to write what waits when everything else has stopped, in milliseconds. The
   * scheduler itself waits no longer than 5 seconds.
   * @default 4500
   */
  readonly drainLimit?: number
  /**
   * What is kept and for how long, deleted by one of the processes that share the database; false for
   * everything and for ever.
   * @default 30 days, the last 100,000 runs of each job, and 1,000,000,000 characters of logs
   */
  readonly retention?: RetentionPolicy | false
  /**
   * How often is looked for what may go, in milliseconds.
   * @default 600000
   */
  readonly retentionInterval?: number
  /**
   * Where it is said that a database cannot be written to, and what was dropped for it; false for
   * nowhere.
   * @default the console
   */
  readonly logger?: Logger | false
}

const day = 86_400_000

export const tracingDefaults: Readonly<{
  followJobs: boolean
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
  followJobs: true,
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

/** Nothing is worked on while jobs begin to run; how often is looked whether they do, in milliseconds. */
const calm = 100
/** How many notes, and how many characters with them, wait for that. */
const intakeNotes = 10_000
const intakeCharacters = 1_000_000
/** Between attempts that fail, in milliseconds. */
const firstPause = 100
const longestPause = 10_000
/** About how many bytes of memory one batch takes; drivers make more of it. */
const batchBytes = 4_194_304
/** Characters of one line of a log. */
const lineCharacters = 16_384

/** Throws all that is wrong. */
export function checkTracing(options: TracingOptions): void {
  const problems: Problem[] = []
  for (const key of counts) {
    const value = options[key]
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      problems.push({ key, message: `it must be a whole number from 1 on, not ${value}` })
    }
  }
  if (options.includeJobNames !== undefined && options.excludeJobNames !== undefined) {
    problems.push({
      key: 'excludeJobNames',
      message: 'name either the jobs that are recorded or those that are not',
    })
  }
  if (problems.length > 0) throw new ConfigurationError('the tracing', problems)
}

const counts = [
  'logCharacters',
  'queueEntries',
  'queueBytes',
  'batchEntries',
  'flushInterval',
  'drainLimit',
  'retentionInterval',
] as const

export function limitsOf(options: TracingOptions): RecorderLimits {
  const { logCharacters, queueEntries, queueBytes, batchEntries, flushInterval } = {
    ...tracingDefaults,
    ...options,
  }
  return {
    intake: {
      calm,
      patience: flushInterval,
      notes: intakeNotes,
      characters: intakeCharacters,
    },
    queue: { entries: queueEntries, bytes: queueBytes },
    writer: { batchEntries, batchBytes, interval: flushInterval, firstPause, longestPause },
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
