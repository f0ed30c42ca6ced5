import { serverError, type ServerErrorName, serverErrorName } from './jute/server-errors.ts'

/** Errors of the client itself, not answered by a server. */
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

/** Every code that a `ZooKeeperError` may carry; docs/errors.md describes each. */
export type ZooKeeperErrorCode = `ZK_${ServerErrorName}` | (typeof clientErrors)[number]

/** Every code that a `ZooKeeperError` may carry; docs/errors.md describes each. */
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

/** The error of this package, identified by its `code`. */
export class ZooKeeperError extends Error {
  override readonly name: string = 'ZooKeeperError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: ZooKeeperErrorCode
  /** The error number that the server answered with, if it answered. */
  readonly errno: number | undefined
  /** The failed operation, if there was one. */
  readonly operation: string | undefined
  /** The path of the operation. */
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

/** A multi that failed because of the part at `index`. */
export class MultiError extends ZooKeeperError {
  override readonly name = 'MultiError'
  /** The position of the failed part. */
  readonly index: number
  /** The server's error number for each part: 0 before the failed part, its own number, -2 after it. */
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

/** Converts an error number of a server, known or not, into an error. */
export function serverFailure(errno: number, operation: string, path?: string): ZooKeeperError {
  const name = serverErrorName(errno)
  const subject = path === undefined ? operation : `${operation} ${path}`
  const details = { errno, operation, ...(path === undefined ? {} : { path }) }
  return name === undefined
    ? new ZooKeeperError('ZK_UNKNOWN_ERROR', `${subject}: the server answered ${errno}`, details)
    : new ZooKeeperError(`ZK_${name}`, `${subject}: ${name} (${errno})`, details)
}

/** The error for a server that does not support a request and is too old for this client. */
export function unknownRequest(
  { operation, path, errno }: ZooKeeperError,
  server: string,
): ZooKeeperError {
  return new ZooKeeperError(
    'ZK_UNIMPLEMENTED',
    `${operation}: ${server} does not support this request (UNIMPLEMENTED, ${errno}). ` +
      'Persistent watches and reads of several nodes at once need ZooKeeper 3.6 or newer: upgrade the server',
    {
      ...(errno === undefined ? {} : { errno }),
      ...(operation === undefined ? {} : { operation }),
      ...(path === undefined ? {} : { path }),
    },
  )
}

/**
 * Creates errors without stack traces, for errors that are results and are not thrown. A read of many nodes
 * produces thousands of them, and capturing the stacks would take most of the time.
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

/** Whether an error is a `ZooKeeperError` with one of these codes. */
export function isZooKeeperError(
  error: unknown,
  ...codes: readonly ZooKeeperErrorCode[]
): error is ZooKeeperError {
  try {
    return error instanceof ZooKeeperError && (codes.length === 0 || codes.includes(error.code))
  } catch {
    // A revoked proxy throws on every access.
    return false
  }
}
