/**
 * What was thrown, as text. Code may throw anything: a value without a text, a proxy, an error whose getters throw.
 * Nothing here throws, whatever it is given.
 */
import { inspect, types } from 'node:util'

/** A thrown value as plain data. */
export interface ThrownDetails {
  /** Whether it is an error, of whichever realm. */
  readonly isError: boolean
  /** The name of an error, the type of anything else. */
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
  readonly cause: unknown
  /** What is inside of an error of several attempts. */
  readonly errors: readonly unknown[]
}

/** Name, message and stack of a thrown value, whatever it is. */
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

/** What it says. An error without a message, as one of several attempts to connect, is told by its code or name. */
export function messageOf(thrown: unknown): string {
  const { message, code, name } = detailsOf(thrown)
  return message || code || name
}

/** Its name and what it says: `TypeError: x is not a function`. */
export function summaryOf(thrown: unknown): string {
  const { isError, name, message } = detailsOf(thrown)
  if (!isError) return message
  return message === '' ? name : `${name}: ${message}`
}

/** Its stack; the summary of what has none. */
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

/** The text of an object that has no text of its own. */
const anyObject = /^\[object .*\]$/

function textOf(value: unknown): string {
  try {
    const text = String(value)
    if (!anyObject.test(text)) return text
  } catch {
    // Something else may show it.
  }
  try {
    return inspectPlainly(value)
  } catch {
    return `a value of type ${typeof value} that cannot be shown`
  }
}

/** Runs no code of the value's own. */
function inspectPlainly(value: unknown): string {
  return inspect(value, { customInspect: false, getters: false, depth: 2, maxArrayLength: 20 })
}
