/** An error in a form that another thread can be sent; its class cannot. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly cause: ErrorData | undefined
}

/** A chain of causes may come back to where it began. */
const deepestCause = 5

export function errorToData(error: unknown, depth = 0): ErrorData {
  if (!(error instanceof Error)) {
    return {
      name: 'Error',
      message: String(error),
      stack: undefined,
      code: undefined,
      cause: undefined,
    }
  }
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    name,
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    cause:
      cause === undefined || depth === deepestCause ? undefined : errorToData(cause, depth + 1),
  }
}

/** An error that says what the original has said, its stack and its code included. */
export function errorFromData({ name, message, stack, code, cause }: ErrorData): Error {
  const error = new Error(
    message,
    cause === undefined ? undefined : { cause: errorFromData(cause) },
  )
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}
