/**
 * Converts thrown values to text. Code may throw anything: a value without a text, a proxy, an error whose getters
 * throw. The functions here never throw.
 */
import { inspect, types } from 'node:util'

/** A thrown value as plain data. */
export interface ThrownDetails {
  /** Whether the value is an error, of any realm. */
  readonly isError: boolean
  /** The name of an error, the type of anything else. */
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly cause: unknown
  /** The errors inside an `AggregateError`. */
  readonly errors: readonly unknown[]
}

/** Name, message and stack of any thrown value. */
export function detailsOf(thrown: unknown): ThrownDetails {
  const isError = isErrorLike(thrown)
  if (!isError) {
    return {
      isError,
      name: typeof thrown,
      message: textOf(thrown),
      stack: undefined,
      code: undefined,
      cause: undefined,
      errors: [],
    }
  }
  const code = read(thrown, 'code')
  const stack = read(thrown, 'stack')
  const name = read(thrown, 'name')
  const message = read(thrown, 'message')
  return {
    isError,
    name: typeof name === 'string' && name !== '' ? name : 'Error',
    message: message === undefined ? '' : textOf(message),
    stack: typeof stack === 'string' && stack !== '' ? stack : undefined,
    code: typeof code === 'string' ? code : undefined,
    cause: read(thrown, 'cause'),
    errors: listIn(read(thrown, 'errors')),
  }
}

/**
 * The message of a thrown value. An error without a message, such as one for several connection attempts, returns its
 * code or name.
 */
export function messageOf(thrown: unknown): string {
  const { message, code, name } = detailsOf(thrown)
  return message || code || name
}

/** The name and the message: `TypeError: x is not a function`. */
export function summaryOf(thrown: unknown): string {
  const { isError, name, message } = detailsOf(thrown)
  if (!isError) return message
  return message === '' ? name : `${name}: ${message}`
}

/** The stack; for a value without a stack, its summary. */
export function stackOf(thrown: unknown): string {
  return detailsOf(thrown).stack ?? summaryOf(thrown)
}

function isErrorLike(thrown: unknown): thrown is object {
  try {
    return types.isNativeError(thrown) || thrown instanceof Error
  } catch {
    return false
  }
}

function read(thrown: object, key: string): unknown {
  try {
    return (thrown as Readonly<Record<string, unknown>>)[key]
  } catch {
    return undefined
  }
}

function listIn(value: unknown): readonly unknown[] {
  try {
    return Array.isArray(value) ? Array.from<unknown>(value) : []
  } catch {
    return []
  }
}

/** The text of an object without a `toString` of its own. */
const anyObject = /^\[object .*\]$/

function textOf(value: unknown): string {
  try {
    const text = String(value)
    if (!anyObject.test(text)) return text
  } catch {
    // `inspect` may still show the value.
  }
  try {
    return inspectPlainly(value)
  } catch {
    return `a value of type ${typeof value} that cannot be shown`
  }
}

/** Runs no code of the value itself. */
function inspectPlainly(value: unknown): string {
  return inspect(value, { customInspect: false, getters: false, depth: 2, maxArrayLength: 20 })
}
