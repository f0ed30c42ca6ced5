/** Refuses paths whose normalized form differs from their text. */
import type { MiddlewareHandler } from 'hono'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { answerFailure } from './mount.ts'

/** A segment of one or two dots, encoded or not; a URL treats a backslash as a slash. */
const dots = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/iu

/**
 * URL normalization removes such segments together with the segment before them: for a server named `..`, an
 * operation on one server of a job would become an operation on the whole job. Only the raw request line still has
 * these segments.
 */
export function plainPath(): MiddlewareHandler {
  return async (context, next) => {
    const { incoming } = (context.env ?? {}) as { incoming?: { readonly url?: string } }
    const [path = ''] = (incoming?.url ?? '').split('?', 1)
    if (!dots.test(path)) return next()
    return answerFailure(
      context,
      new ConsoleError('CONSOLE_INPUT_INVALID', message('path-with-dots')),
    )
  }
}
