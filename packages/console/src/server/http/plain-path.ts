/** Refuses paths that mean another than they spell. */
import type { MiddlewareHandler } from 'hono'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { answerFailure } from './mount.ts'

/** A part of a path that is one or two dots, encoded or not; a backslash is a slash to a URL. */
const dots = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/iu

/**
 * A URL leaves such parts out together with what stands before them: a server that is called `..` would
 * be none, and what was asked of it in one job would be done to the whole job. Only what came over the wire
 * still has them.
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
