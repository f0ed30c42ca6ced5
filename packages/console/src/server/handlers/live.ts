/** Changes as they happen. */
import { say } from '@elasticjob/core'

import type { EndpointName } from '../../contract/endpoints.ts'
import { ConsoleError } from '../../errors.ts'
import type { Ask, Handlers } from '../http/handler.ts'
import { LiveStream } from '../live/live-stream.ts'
import { RunFollower } from '../live/run-follower.ts'
import { linkOf } from './deed.ts'
import { historyOf, runHistoryOf } from './history.ts'

/** So many streams may be open at once, from whomever. */
const mostStreams = 2000
let open = 0

export const liveHandlers: Pick<Handlers, 'follow'> = {
  follow: (ask) => {
    if (open >= mostStreams) {
      throw new ConsoleError('CONSOLE_BUSY', say`${mostStreams} streams are open`, {
        retryAfter: 10,
      })
    }
    const { query, context, services } = ask
    const { run: runId, after } = query
    const stream = new LiveStream({
      link: linkOf(ask),
      query,
      known: context.req.header('last-event-id') ?? query.since,
      run:
        runId === undefined
          ? undefined
          : new RunFollower({ runId, after, open: () => historyOf(ask), describe: runHistoryOf }),
      clock: services.clock,
      signal: AbortSignal.any([context.req.raw.signal, services.stopping]),
      isAllowed: () => isAllowed(ask),
    })
    open += 1
    void stream.run().finally(() => (open -= 1))
    return new Response(stream.writer.body, {
      headers: {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        // nginx would keep it back until there is enough of it.
        'X-Accel-Buffering': 'no',
      },
    })
  },
}

/** Who has logged out hears nothing more. */
function isAllowed({
  identity,
  services,
}: Pick<Ask<EndpointName>, 'identity' | 'services'>): boolean {
  return identity.token === undefined || services.sessions.find(identity.token) !== undefined
}
