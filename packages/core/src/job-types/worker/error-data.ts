import { detailsOf } from '../../thrown.ts'

/** An error in a form that can be sent to another thread; its class cannot. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly cause: ErrorData | undefined
}

/** A chain of causes may be cyclic. */
const deepestCause = 5

export function errorToData(thrown: unknown, depth = 0): ErrorData {
  const { isError, name, message, stack, code, cause } = detailsOf(thrown)
  return {
    name: isError ? name : 'Error',
    message,
    stack,
    code,
    cause:
      cause === undefined || depth === deepestCause ? undefined : errorToData(cause, depth + 1),
  }
}

/** An error with the message, stack and code of the original. */
export function errorFromData({ name, message, stack, code, cause }: ErrorData): Error {
  const error = new Error(
    message,
    cause === undefined ? undefined : { cause: errorFromData(cause) },
  )
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}
