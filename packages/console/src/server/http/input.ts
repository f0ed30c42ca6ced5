/** What was sent, as the contract has it, or an error that names all that is wrong. */
import { problem, say, type Sentence } from '@elasticjob/core'
import { validatePath } from '@elasticjob/zookeeper'
import type { Context } from 'hono'
import type { z } from 'zod'

import { ConsoleError } from '../../errors.ts'
import { listOf } from '../sentence-list.ts'

export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: Sentence,
): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, 50).map(({ path, message }) => ({
    key: path.map(String).join('.'),
    said: partsOf(message),
  }))
  const list = issues.map(({ key, said }) => (key === '' ? said : say`${key}: ${said}`))
  throw new ConsoleError('CONSOLE_INPUT_INVALID', say`${where} is not valid: ${listOf(list)}`, {
    problems: issues.map(({ key, said }) => problem(key, said)),
  })
}

/** What a schema says, with its numbers as parts: for what a page may meet, it has words in other languages. */
function partsOf(text: string): Sentence {
  const numbers = /\d+/gu
  const values = [...text.matchAll(numbers)].map(([digits]) => Number(digits))
  return { text, template: text.replaceAll(numbers, '{}'), values }
}

/** Names become nodes: what is no name of a node is refused before anybody asks the registry. */
export function requireNames(names: Readonly<Record<string, unknown>>): void {
  for (const [key, name] of Object.entries(names)) {
    if (typeof name !== 'string') continue
    const said = problemOfName(name)
    if (said === undefined) continue
    throw new ConsoleError('CONSOLE_INPUT_INVALID', say`the ${key} in the path ${said}`, {
      problems: [problem(key, said)],
    })
  }
}

export function problemOfName(name: string): Sentence | undefined {
  if (name.includes('/')) return say`has a slash in its name`
  try {
    validatePath(`/${name}`)
    return undefined
  } catch {
    return say`is no name that ZooKeeper takes`
  }
}

export async function readBody(context: Context, isOptional: boolean): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') {
    if (isOptional) return {}
    throw new ConsoleError('CONSOLE_INPUT_INVALID', say`there is no body: send JSON`)
  }
  const type = context.req.header('content-type') ?? ''
  // Without this a form of another page could send what looks like JSON, and no browser would ask first.
  if (!/^application\/json\b/i.test(type)) {
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      say`the body is to be JSON, with Content-Type: application/json`,
    )
  }
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      say`the body is no JSON: ${(error as Error).message.slice(0, 200)}`,
    )
  }
}
