/** Every code that a `MetricsError` may carry; docs/errors.md describes each. */
export const errorCodes = [
  'METRICS_PEER_MISSING',
  'METRICS_NAME_TAKEN',
  'METRICS_PORT_TAKEN',
  'METRICS_NOT_LISTENING',
] as const

/** One of `errorCodes`. */
export type MetricsErrorCode = (typeof errorCodes)[number]

/** Metrics cannot be served. Jobs run nevertheless. */
export class MetricsError extends Error {
  override readonly name = 'MetricsError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: MetricsErrorCode

  constructor(code: MetricsErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
