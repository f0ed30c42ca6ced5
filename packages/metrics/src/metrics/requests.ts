/** Requests to ZooKeeper, as reported by the clients of this process. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

import type { Clock } from '@elasticjob/core'
import type { Change } from './series.ts'

/** The published context of one request; the same object from call to answer. */
interface Request {
  readonly operation: string
  readonly error?: unknown
}

const channel = 'tracing:elasticjob:zookeeper:request'

/** The changes for an answered request. */
function changesOfRequest({ operation, error }: Request, milliseconds: number): readonly Change[] {
  const took: Change = {
    metric: 'zookeeper.request.duration',
    labels: { operation },
    value: milliseconds / 1000,
  }
  if (error === undefined) return [took]
  return [
    took,
    { metric: 'zookeeper.request.errors', labels: { operation, code: codeOf(error) }, amount: 1 },
  ]
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'unknown'
}

/** Follows every request until it is stopped. */
export function followRequests(
  clock: Clock,
  changed: (changes: readonly Change[]) => void,
): () => void {
  const begun = new WeakMap<object, number>()
  const started = (request: unknown): void => {
    begun.set(request as object, clock.monotonic())
  }
  const ended = (request: unknown): void => {
    const at = begun.get(request as object)
    // The request started before this listener.
    if (at === undefined) return
    changed(changesOfRequest(request as Request, clock.monotonic() - at))
  }
  subscribe(`${channel}:start`, started)
  subscribe(`${channel}:asyncEnd`, ended)
  return () => {
    unsubscribe(`${channel}:start`, started)
    unsubscribe(`${channel}:asyncEnd`, ended)
  }
}
