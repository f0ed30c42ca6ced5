/** The stream of changes. */
import type { EndpointName } from '../../contract/endpoints.ts'
import type { Ask, Handlers } from '../http/handler.ts'
import { RegistryLink } from '../connections/registry-link.ts'
import { addressOf } from '../http/origin.ts'
import { LiveStream } from '../live/live-stream.ts'
import { refusedStream } from '../live/refused-stream.ts'
import { RunFollower } from '../live/run-follower.ts'
import { linkOf } from './action.ts'
import { historyOf, runHistoryOf } from './history.ts'

export const liveHandlers: Pick<Handlers, 'follow'> = {
  follow: (ask) => {
    const { query, context, identity, services } = ask
    const { run: runId, after } = query
    const address = addressOf(context, services.trustProxy)
    const { role, username, token: session } = identity
    const giveBack = services.streams.take({ role, session, address })
    const stamp = services.accounts.stampOf(username)
    const signal = AbortSignal.any([context.req.raw.signal, services.stopping])
    const link = linkOrReason(ask)
    if (!(link instanceof RegistryLink)) {
      return eventStream(
        refusedStream({
          error: link,
          clock: services.clock,
          signal,
          isStillSo: () => isAllowed(ask, stamp) && !(linkOrReason(ask) instanceof RegistryLink),
          ended: giveBack,
        }),
      )
    }
    const stream = new LiveStream({
      link,
      query,
      known: context.req.header('last-event-id') ?? query.since,
      run:
        runId === undefined
          ? undefined
          : new RunFollower({ runId, after, open: () => historyOf(ask), describe: runHistoryOf }),
      clock: services.clock,
      signal,
      isAllowed: () => isAllowed(ask, stamp),
    })
    void stream.run().finally(giveBack)
    return eventStream(stream.writer.body)
  },
}

function eventStream(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // nginx would buffer the stream otherwise.
      'X-Accel-Buffering': 'no',
    },
  })
}

/** The selected registry, or the reason why there is none. */
function linkOrReason(ask: Ask<'follow'>): unknown {
  try {
    return linkOf(ask)
  } catch (error) {
    return error
  }
}

/** Ends the stream of a user who has logged out, or whose password has changed. */
function isAllowed(
  { identity, services }: Pick<Ask<EndpointName>, 'identity' | 'services'>,
  stamp: string | undefined,
): boolean {
  const { token, username } = identity
  if (token !== undefined) return services.sessions.find(token) !== undefined
  return services.accounts.stampOf(username) === stamp
}
