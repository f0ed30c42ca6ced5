import { serverError, type ServerErrorName, serverErrorName } from './jute/server-errors.ts'

/** What can go wrong on this side of the wire. */
const clientErrors = [
  'ZK_UNKNOWN_ERROR',
  'ZK_CLOSED',
  'ZK_CONNECT_FAILED',
  'ZK_NOT_CONNECTED',
  'ZK_DEADLINE_EXCEEDED',
  'ZK_QUEUE_FULL',
  'ZK_INVALID_PATH',
  'ZK_INVALID_ARGUMENT',
  'ZK_REQUEST_TOO_LARGE',
  'ZK_EPHEMERAL_LIMIT',
  'ZK_LEASE_IMPOSSIBLE',
  'ZK_NOT_LOADED',
  'ZK_CONNECTION_CLOSED',
  'ZK_HANDSHAKE_REFUSED',
  'ZK_HANDSHAKE_TIMEOUT',
  'ZK_READ_TIMEOUT',
  'ZK_MALFORMED_FRAME',
  'ZK_FRAME_TOO_LARGE',
  'ZK_UNEXPECTED_REPLY',
] as const

/** Every code that a `ZooKeeperError` may carry; docs/errors.md says what each means. */
export type ZooKeeperErrorCode = `ZK_${ServerErrorName}` | (typeof clientErrors)[number]

/** All of them, as a list. */
export const errorCodes: readonly ZooKeeperErrorCode[] = [
  ...(Object.keys(serverError) as ServerErrorName[]).map((name) => `ZK_${name}` as const),
  ...clientErrors,
]

export interface ZooKeeperErrorDetails {
  readonly errno?: number
  readonly operation?: string
  readonly path?: string
  readonly outcomeUnknown?: boolean
  readonly cause?: unknown
}

/** Whatever fails in this package, told by its `code`. */
export class ZooKeeperError extends Error {
  override readonly name: string = 'ZooKeeperError'
  /** A stable name for what went wrong; compare this, not the message. */
  readonly code: ZooKeeperErrorCode
  /** The number the server answered with, if a server answered. */
  readonly errno: number | undefined
  /** The operation that failed, if it was one. */
  readonly operation: string | undefined
  /** The path it was about. */
  readonly path: string | undefined
  /** True if the server may have carried out the operation although no answer arrived. */
  readonly outcomeUnknown: boolean

  constructor(code: ZooKeeperErrorCode, message: string, details: ZooKeeperErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.errno = details.errno
    this.operation = details.operation
    this.path = details.path
    this.outcomeUnknown = details.outcomeUnknown ?? false
  }
}

/** A multi that failed as a whole, because of the part at `index`. */
export class MultiError extends ZooKeeperError {
  override readonly name = 'MultiError'
  /** The position of the part that failed. */
  readonly index: number
  /** The server's number for each part: 0 before the culprit, its own number, -2 for those not tried. */
  readonly errnos: readonly number[]

  constructor(failure: ZooKeeperError, index: number, errnos: readonly number[]) {
    super(failure.code, `multi failed at part ${index}: ${failure.message}`, {
      errno: failure.errno ?? 0,
      operation: 'multi',
      ...(failure.path === undefined ? {} : { path: failure.path }),
    })
    this.index = index
    this.errnos = errnos
  }
}

/** The error for a number that a server answered with, known to us or not. */
export function serverFailure(errno: number, operation: string, path?: string): ZooKeeperError {
  const name = serverErrorName(errno)
  const subject = path === undefined ? operation : `${operation} ${path}`
  const details = { errno, operation, ...(path === undefined ? {} : { path }) }
  return name === undefined
    ? new ZooKeeperError('ZK_UNKNOWN_ERROR', `${subject}: the server answered ${errno}`, details)
    : new ZooKeeperError(`ZK_${name}`, `${subject}: ${name} (${errno})`, details)
}

/**
 * For errors that are answers and that nobody throws. A reader of many nodes gets thousands of them, and
 * to note where each was made takes longer than all the rest.
 */
export function withoutStacks<T>(make: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Whether an error is one of this package with one of these codes. */
export function isZooKeeperError(
  error: unknown,
  ...codes: readonly ZooKeeperErrorCode[]
): error is ZooKeeperError {
  return error instanceof ZooKeeperError && (codes.length === 0 || codes.includes(error.code))
}
