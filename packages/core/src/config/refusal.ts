/** The messages for values of the wrong kind, the same for every option. */
import { type Problem, problem } from '../errors.ts'
import { message, type Message, type MessageValue } from '../message.ts'

export function refusal(key: string, value: unknown, means: Message): Problem {
  return problem(key, message('value-mismatch', { expected: means, actual: shown(value) }))
}

function shown(value: unknown): MessageValue {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return message('kind-list')
  return isRecord(value) ? message('kind-object') : String(value)
}

/** The problems of each option by itself; an undefined option counts as omitted. */
export function problemsOfEach(
  options: Readonly<Record<string, unknown>>,
  problemOf: (key: string, value: unknown) => string | undefined,
): Problem[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const wrong = value === undefined ? undefined : problemOf(key, value)
    return wrong === undefined ? [] : [{ key, message: wrong }]
  })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
