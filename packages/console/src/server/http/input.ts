/** What was sent, as the contract has it, or an error that names all that is wrong. */
import { validatePath } from '@elasticjob/zookeeper'
import type { Context } from 'hono'
import type { z } from 'zod'

import { ConsoleError } from '../../errors.ts'

export function parse<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, 50).map(({ path, message }) => ({
    key: path.map(String).join('.'),
    message,
  }))
  const list = problems.map(({ key, message }) => (key === '' ? message : `${key}: ${message}`))
  throw new ConsoleError('CONSOLE_INPUT_INVALID', `${where} is not valid: ${list.join('; ')}`, {
    problems,
  })
}

/** Names become nodes: what is no name of a node is refused before anybody asks the registry. */
export function requireNames(names: Readonly<Record<string, unknown>>): void {
  for (const [key, name] of Object.entries(names)) {
    if (typeof name !== 'string') continue
    const message = problemOfName(name)
    if (message === undefined) continue
    throw new ConsoleError('CONSOLE_INPUT_INVALID', `the ${key} in the path ${message}`, {
      problems: [{ key, message }],
    })
  }
}

export function problemOfName(name: string): string | undefined {
  if (name.includes('/')) return 'has a slash in its name'
  try {
    validatePath(`/${name}`)
    return undefined
  } catch {
    return 'is no name that ZooKeeper takes'
  }
}

export async function readBody(context: Context, isOptional: boolean): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') {
    if (isOptional) return {}
    throw new ConsoleError('CONSOLE_INPUT_INVALID', 'there is no body: send JSON')
  }
  const type = context.req.header('content-type') ?? ''
  // Without this a form of another page could send what looks like JSON, and no browser would ask first.
  if (!/^application\/json\b/i.test(type)) {
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      `the body is to be JSON, with Content-Type: application/json`,
    )
  }
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new ConsoleError(
      'CONSOLE_INPUT_INVALID',
      `the body is no JSON: ${(error as Error).message.slice(0, 200)}`,
    )
  }
}
