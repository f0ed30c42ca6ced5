/** Every code that a `RegistryError` may carry; docs/errors.md describes each. */
export const errorCodes = [
  'REGISTRY_NO_NODE',
  'REGISTRY_NODE_EXISTS',
  'REGISTRY_BAD_VERSION',
  'REGISTRY_NOT_EMPTY',
  'REGISTRY_NOT_CONNECTED',
  'REGISTRY_CONNECTION_LOSS',
  'REGISTRY_SESSION_EXPIRED',
  'REGISTRY_DEADLINE_EXCEEDED',
  'REGISTRY_CLOSED',
  'REGISTRY_NO_AUTH',
  'REGISTRY_AUTH_FAILED',
  'REGISTRY_LEASE_IMPOSSIBLE',
  'REGISTRY_UNSUPPORTED',
  'REGISTRY_INVALID_PATH',
  'REGISTRY_INVALID_ARGUMENT',
  'REGISTRY_FAILED',
] as const

/** One of `registryErrorCodes`. */
export type RegistryErrorCode = (typeof errorCodes)[number]

export interface RegistryErrorDetails {
  readonly path?: string | undefined
  readonly outcomeUnknown?: boolean
  readonly partIndex?: number | undefined
  readonly cause?: unknown
}

/** The error of a registry request, identified by its `code`. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: RegistryErrorCode
  /** The node that the failure concerns, if there is one. */
  readonly path: string | undefined
  /** True if the registry may have carried out the operation although no answer arrived. */
  readonly outcomeUnknown: boolean
  /** The index of the part that made the registry refuse a transaction; undefined for any other failure. */
  readonly partIndex: number | undefined

  constructor(code: RegistryErrorCode, message: string, details: RegistryErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.path = details.path
    this.outcomeUnknown = details.outcomeUnknown ?? false
    this.partIndex = details.partIndex
  }
}

const outOfReach = [
  'REGISTRY_NOT_CONNECTED',
  'REGISTRY_CONNECTION_LOSS',
  'REGISTRY_SESSION_EXPIRED',
  'REGISTRY_CLOSED',
] as const

/** Whether an error is a `RegistryError` with one of these codes. */
export function isRegistryError(
  error: unknown,
  ...codes: readonly RegistryErrorCode[]
): error is RegistryError {
  try {
    return error instanceof RegistryError && (codes.length === 0 || codes.includes(error.code))
  } catch {
    // A revoked proxy throws on every access.
    return false
  }
}

/**
 * Whether the registry has carried out the request. False if it refused the request with one of these codes, or with
 * any code if none is given. Rejects with every other error.
 */
export async function isAccepted(
  answer: Promise<unknown>,
  ...refusals: readonly RegistryErrorCode[]
): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (!isRegistryError(error, ...refusals)) throw error
    return false
  }
}

/** Whether an error only means that there is no usable session. */
export function isOutOfReach(error: unknown): error is RegistryError {
  return isRegistryError(error, ...outOfReach)
}

/** Whether the registry may have carried out the operation without an answer. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isRegistryError(error) && error.outcomeUnknown
}

/** For `catch`: ignores errors of the registry, and throws any other error. */
export function ignoreRegistryError(error: unknown): void {
  if (!isRegistryError(error)) throw error
}
