/** Requests to ZooKeeper, as the clients of this process tell of them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

import type { Clock } from '../clock.ts'
import type { Change } from './series.ts'

/** What the client publishes of one request; the same object from its call to its answer. */
interface Request {
  readonly operation: string
  readonly error?: unknown
}

const channel = 'tracing:elasticjob:zookeeper:request'

/** What an answered request changes. */
function changesOfRequest({ operation, error }: Request, milliseconds: number): readonly Change[] {
  const took: Change = {
    figure: 'zookeeper.request.duration',
    labels: { operation },
    value: milliseconds / 1000,
  }
  if (error === undefined) return [took]
  return [
    took,
    { figure: 'zookeeper.request.errors', labels: { operation, code: codeOf(error) }, amount: 1 },
  ]
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'unknown'
}

/** Follows every request until it is told to stop. */
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
    // It began before anybody listened.
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
