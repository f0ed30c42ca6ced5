/** Parses the input as the contract defines it, or throws an error with every problem. */
import type { Message } from '@elasticjob/core'
import { problem, problemOfPath } from '@elasticjob/core/internal'
import type { Context } from 'hono'
import type { z } from 'zod'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { listOf } from '../message-list.ts'

export function parse<S extends z.ZodType>(schema: S, value: unknown, where: Message): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 50).map((issue) => ({
    key: issue.path.map(String).join('.'),
    text: textOf(issue),
  }))
  const list = issues.map(({ key, text }) =>
    key === '' ? text : message('keyed-problem', { key, problem: text }),
  )
  throw new ConsoleError(
    'CONSOLE_INPUT_INVALID',
    message('input-invalid', { subject: where, problems: listOf(list) }),
    {
      problems: issues.map(({ key, text }) =>
        typeof text === 'string' ? { key, message: text } : problem(key, text),
      ),
    },
  )
}

/** The issues that a form of the page can cause are messages; all others are in English only. */
function textOf(issue: z.core.$ZodIssue): string | Message {
  if (issue.code === 'too_big') {
    const most = Number(issue.maximum)
    if (issue.origin === 'string') return message('input-text-too-long', { most })
    if (issue.origin === 'array') return message('input-list-too-long', { most })
  }
  if (issue.code === 'invalid_key') return message('input-key-too-long')
  if (issue.code === 'invalid_type' && issue.expected === 'number') {
    return message('input-not-a-number')
  }
  return issue.message
}

/** Names become nodes: an invalid node name is refused before the registry is queried. */
export function requireNames(names: Readonly<Record<string, unknown>>): void {
  for (const [key, name] of Object.entries(names)) {
    if (typeof name !== 'string') continue
    const messageParts = problemOfName(name)
    if (messageParts === undefined) continue
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      message('path-name-invalid', { key, problem: messageParts }),
      {
        problems: [problem(key, messageParts)],
      },
    )
  }
}

export function problemOfName(name: string): Message | undefined {
  if (name.includes('/')) return message('name-with-slash')
  return problemOfPath(`/${name}`) === undefined ? undefined : message('name-invalid')
}

export async function readBody(context: Context, isOptional: boolean): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') {
    if (isOptional) return {}
    throw new ConsoleError('CONSOLE_INPUT_INVALID', message('body-absent'))
  }
  const type = context.req.header('content-type') ?? ''
  // Otherwise a form of another origin could send JSON without a preflight request.
  if (!/^application\/json\b/i.test(type)) {
    throw new ConsoleError('CONSOLE_INPUT_INVALID', message('body-type-invalid'))
  }
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    // The parser's message quotes a part of the body, which may be a password.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      position === undefined ? message('body-not-json') : message('body-not-json-at', { position }),
    )
  }
}
