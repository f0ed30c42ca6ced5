import { englishOf, message, type Message, type MessageValue } from './message.ts'

/** Every code that an `ElasticJobError` may carry; docs/errors.md says what each means. */
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

/** Whatever fails in this package, told by its `code`. */
export class ElasticJobError extends Error {
  override readonly name: string = 'ElasticJobError'
  /** A stable name for what went wrong; compare this, not the message. */
  readonly code: ElasticJobErrorCode
  readonly #messageParts: Message | undefined

  constructor(code: ElasticJobErrorCode, text: string | Message, cause?: unknown) {
    super(englishOf(text), cause === undefined ? undefined : { cause })
    this.code = code
    this.#messageParts = typeof text === 'object' ? text : undefined
  }

  /** The message for those who put it into another language; undefined if it is English alone. */
  get messageParts(): Message | undefined {
    return this.#messageParts
  }
}

/** The error for who wants something of a job whose nodes cannot be read. */
export function brokenJob(jobName: string, reason: MessageValue): ElasticJobError {
  return new ElasticJobError('JOB_BROKEN', message('job-broken', { jobName, reason }))
}

/** One thing that is wrong with a configuration, and where. */
export interface Problem {
  /** The key, with its path where it is nested: `jobs.sync-orders.cron`. */
  readonly key: string
  /** What is wrong and what would be right. */
  readonly message: string
  /** The message for those who put it into another language. */
  readonly messageParts?: Message
}

/** A problem whose message can be put into other languages. */
export function problem(key: string, messageParts: Message): Problem {
  // Not enumerable: an error that is printed shows its problems, and the words are there already.
  return Object.defineProperty({ key, message: messageParts.text }, 'messageParts', {
    value: messageParts,
  })
}

/** A configuration that cannot be; it names all that is wrong with it, not only the first. */
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

/** Each on a line of its own; those that others have written may be English alone. */
function listOf(problems: readonly Problem[]): MessageValue {
  return problems.reduce<MessageValue>(
    (list, { key, message: text, messageParts = text }) =>
      message('problem-list', { list, key, problem: messageParts }),
    '',
  )
}

/** Whether an error is one of this package with one of these codes. */
export function isElasticJobError(
  error: unknown,
  ...codes: readonly ElasticJobErrorCode[]
): error is ElasticJobError {
  try {
    return error instanceof ElasticJobError && (codes.length === 0 || codes.includes(error.code))
  } catch {
    // Of a revoked proxy nothing can be asked.
    return false
  }
}
