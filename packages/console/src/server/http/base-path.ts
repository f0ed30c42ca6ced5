/** The base path of the console on its host. */
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

/** Names that need no encoding: the path is written into headers, into the document and into routes. */
const plain = /^(?:\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)*$/u

/** Empty for the root, otherwise with a leading and without a trailing slash. */
export function basePathOf(given: string): string {
  const trimmed = given.replace(/\/+$/u, '')
  const path = trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}`
  if (plain.test(path)) return path
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message('base-path-invalid', { path: given }))
}
