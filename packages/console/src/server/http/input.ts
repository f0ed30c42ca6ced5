/** Parses the input as the contract defines it, or throws an error with every problem. */
import { problem, problemOfPath, message, type Message } from '@elasticjob/core'
import type { Context } from 'hono'
import type { z } from 'zod'

import { ConsoleError } from '../../errors.ts'
import { listOf } from '../message-list.ts'

export function parse<S extends z.ZodType>(schema: S, value: unknown, where: Message): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 50).map(({ path, message: text }) => ({
    key: path.map(String).join('.'),
    messageParts: partsOf(text),
  }))
  const list = issues.map(({ key, messageParts }) =>
    key === '' ? messageParts : message`${key}: ${messageParts}`,
  )
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message`${where} is not valid: ${listOf(list)}`, {
    problems: issues.map(({ key, messageParts }) => problem(key, messageParts)),
  })
}

/** The message of a schema, with its numbers as parts; messages that a page can receive are translated. */
function partsOf(text: string): Message {
  const numbers = /\d+/gu
  const values = [...text.matchAll(numbers)].map(([digits]) => Number(digits))
  return { text, template: text.replaceAll(numbers, '{}'), values }
}

/** Names become nodes: an invalid node name is refused before the registry is queried. */
export function requireNames(names: Readonly<Record<string, unknown>>): void {
  for (const [key, name] of Object.entries(names)) {
    if (typeof name !== 'string') continue
    const messageParts = problemOfName(name)
    if (messageParts === undefined) continue
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      message`the ${key} in the path ${messageParts}`,
      {
        problems: [problem(key, messageParts)],
      },
    )
  }
}

export function problemOfName(name: string): Message | undefined {
  if (name.includes('/')) return message`has a slash in its name`
  return problemOfPath(`/${name}`) === undefined
    ? undefined
    : message`is no name that ZooKeeper takes`
}

export async function readBody(context: Context, isOptional: boolean): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') {
    if (isOptional) return {}
    throw new ConsoleError('CONSOLE_INPUT_INVALID', message`there is no body: send JSON`)
  }
  const type = context.req.header('content-type') ?? ''
  // Otherwise a form of another origin could send JSON without a preflight request.
  if (!/^application\/json\b/i.test(type)) {
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      message`the body is to be JSON, with Content-Type: application/json`,
    )
  }
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    // The parser's message quotes a part of the body, which may be a password.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      position === undefined
        ? message`the body is not JSON`
        : message`the body is not JSON: see character ${position}`,
    )
  }
}
