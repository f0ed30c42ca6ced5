/** Shapes of stored values: one small function for each kind, which throws a `Mismatch`. */
import { message, type Message } from '../message.ts'

/** Checks that a value is of its kind and returns it, or throws a `Mismatch`. `at`: the keys that lead to the value. */
export type Shape<T> = (value: unknown, at: string) => T

export class Mismatch extends Error {
  override readonly name = 'Mismatch'
  readonly what: Message
  readonly expected: Message

  constructor(at: string, value: unknown, expected: Message) {
    const what =
      at === ''
        ? message('value-found', { value: shown(value) })
        : message('key-found', { key: at, value: shown(value) })
    super(what.text)
    this.what = what
    this.expected = expected
  }
}

/** Long enough to recognise a value, short enough for a log line. */
const shownLength = 40

function shown(value: unknown): Message | string {
  if (value === undefined) return message('value-missing')
  if (Array.isArray(value)) return message('list-found', { count: value.length })
  if (typeof value === 'object' && value !== null) return message('kind-object')
  const text = JSON.stringify(value)
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text
}

export const text: Shape<string> = (value, at) => {
  if (typeof value === 'string') return value
  throw new Mismatch(at, value, message('kind-text'))
}

export const flag: Shape<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value
  throw new Mismatch(at, value, message('kind-flag'))
}

/** The last moment that a `Date` can hold. */
const lastTime = 8_640_000_000_000_000

/** Milliseconds since 1970; 0 for never. */
export const time: Shape<number> = (value, at) => {
  if (typeof value === 'number' && value >= 0 && value <= lastTime) return value
  throw new Mismatch(at, value, message('kind-time'))
}

export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Shape<number> {
  return (value, at) => {
    const fits = Number.isSafeInteger(value) && (value as number) >= least
    if (fits && (value as number) <= most) return value as number
    throw new Mismatch(at, value, message('kind-integer-range', { least, most }))
  }
}

export function oneOf<T extends string>(...values: readonly T[]): Shape<T> {
  return (value, at) => {
    if (values.includes(value as T)) return value as T
    throw new Mismatch(at, value, message('kind-choice', { values: values.join(', ') }))
  }
}

export function listOf<T>(element: Shape<T>, most: number): Shape<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length > most) {
      throw new Mismatch(at, value, message('kind-short-list', { most }))
    }
    for (const [index, one] of value.entries()) element(one, `${at}[${index}]`)
    return value as readonly T[]
  }
}

/** An object that is used as a map. */
export function mapOf<T>(element: Shape<T>, most: number): Shape<Readonly<Record<string, T>>> {
  return (value, at) => {
    const entries = Object.entries(objectOf(value, at))
    if (entries.length > most) {
      throw new Mismatch(at, value, message('kind-small-object', { most }))
    }
    for (const [key, one] of entries) element(one, pathTo(at, key))
    return value as Readonly<Record<string, T>>
  }
}

/** Keeps unknown keys: a later version may have written them. */
export function object<T extends object>(
  keys: {
    readonly [Key in keyof T]-?: Shape<Exclude<T[Key], undefined>>
  },
  required: readonly (keyof T & string)[],
): Shape<T> {
  const shapes = Object.entries(keys) as [keyof T & string, Shape<unknown>][]
  return (value, at) => {
    const found = objectOf(value, at)
    for (const [key, shape] of shapes) {
      const isThere = Object.hasOwn(found, key)
      if (isThere || required.includes(key))
        shape(isThere ? found[key] : undefined, pathTo(at, key))
    }
    return found as T
  }
}

function objectOf(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new Mismatch(at, value, message('kind-object'))
}

function pathTo(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}
