import { englishOf, message, type Message, type MessageValue } from './message.ts'

/** Every code that an `ElasticJobError` may carry; docs/errors.md explains each. */
export const errorCodes = [
  'JOB_CRON_INVALID',
  'JOB_CONFIGURATION_INVALID',
  'JOB_CONFIGURATION_UNREADABLE',
  'JOB_BROKEN',
  'JOB_CONFLICT',
  'JOB_ALREADY_SCHEDULED',
  'JOB_REMOVED',
  'JOB_STOPPED',
  'JOB_NO_INSTANCE',
  'JOB_TRIGGER_PENDING',
  'JOB_NOTHING_FAILED',
  'JOB_NOT_FOUND',
  'JOB_SERVER_NOT_FOUND',
  'JOB_INSTANCE_NOT_FOUND',
  'JOB_SHARD_NOT_FOUND',
  'JOB_SHARD_IDLE',
  'JOB_JAVA_INSTANCE',
  'JOB_DEPARTURE_PENDING',
  'JOB_REGISTRY_UNREACHABLE',
  'JOB_REGISTRY_REFUSED',
  'JOB_ADDRESS_UNKNOWN',
  'JOB_PARAMETER_INVALID',
  'JOB_RUN_SUPERSEDED',
  'JOB_OFFSET_NOT_SAVED',
  'JOB_RUN_TIMEOUT',
  'JOB_BARRIER_BROKEN',
  'JOB_RUN_STOPPED',
  'JOB_TRANSACTION_TOO_LARGE',
  'JOB_SCRIPT_FAILED',
  'JOB_HTTP_FAILED',
  'JOB_WORKER_FAILED',
  'JOB_DATAFLOW_FAILED',
] as const

/** One of `errorCodes`. */
export type ElasticJobErrorCode = (typeof errorCodes)[number]

/** An error of this package; its `code` identifies the failure. */
export class ElasticJobError extends Error {
  override readonly name: string = 'ElasticJobError'
  /** A stable identifier of the failure; compare this, not the message. */
  readonly code: ElasticJobErrorCode
  readonly #messageParts: Message | undefined

  constructor(code: ElasticJobErrorCode, text: string | Message, cause?: unknown) {
    super(englishOf(text), cause === undefined ? undefined : { cause })
    this.code = code
    this.#messageParts = typeof text === 'object' ? text : undefined
  }

  /** The parts of the message, for translation; undefined if the message exists in English only. */
  get messageParts(): Message | undefined {
    return this.#messageParts
  }
}

/** The error for an operation on a job whose nodes cannot be read. */
export function brokenJob(jobName: string, reason: MessageValue): ElasticJobError {
  return new ElasticJobError('JOB_BROKEN', message('job-broken', { jobName, reason }))
}

/** One problem of a configuration, and its location. */
export interface Problem {
  /** The key, with its path if it is nested: `jobs.sync-orders.cron`. */
  readonly key: string
  /** The problem and the valid values. */
  readonly message: string
  /** The parts of the message, for translation. */
  readonly messageParts?: Message
}

/** A problem whose message can be translated. */
export function problem(key: string, messageParts: Message): Problem {
  // Not enumerable: a printed error shows its problems, and `message` already has the text.
  return Object.defineProperty({ key, message: messageParts.text }, 'messageParts', {
    value: messageParts,
  })
}

/** An invalid configuration. The error lists all problems, not only the first. */
export class ConfigurationError extends ElasticJobError {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly Problem[]

  constructor(subject: string | Message, problems: readonly Problem[]) {
    super(
      'JOB_CONFIGURATION_INVALID',
      message('configuration-invalid', { subject, problems: listOf(problems) }),
    )
    this.problems = problems
  }
}

/** One problem per line. Problems from other packages may be in English only. */
function listOf(problems: readonly Problem[]): MessageValue {
  return problems.reduce<MessageValue>(
    (list, { key, message: text, messageParts = text }) =>
      message('problem-list', { list, key, problem: messageParts }),
    '',
  )
}

/** Whether the value is an error of this package with one of these codes. */
export function isElasticJobError(
  error: unknown,
  ...codes: readonly ElasticJobErrorCode[]
): error is ElasticJobError {
  try {
    return error instanceof ElasticJobError && (codes.length === 0 || codes.includes(error.code))
  } catch {
    // Reading a property of a revoked proxy throws.
    return false
  }
}
