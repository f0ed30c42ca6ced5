/**
 * A stream without a registry to follow: it reports the reason and stays open. A browser does not pass the answer of
 * a refused EventSource to the page, so a refusal would look like a server that is gone.
 */
import type { Clock } from '@elasticjob/core'
import { maskTexts } from '@elasticjob/core/internal'

import { failedAnswer } from '../http/failures.ts'
import { EventWriter } from './event-writer.ts'

export interface RefusedStreamOptions {
  /** Why nothing can be followed. */
  readonly error: unknown
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether the reader is still authorized, and there is still no registry to follow. */
  readonly isStillSo: () => boolean
  /** Called once, when the stream has ended. */
  readonly ended: () => void
}

/** The heartbeat interval, in milliseconds, as in every stream. */
const heartbeat = 15_000

export function refusedStream(options: RefusedStreamOptions): ReadableStream<Uint8Array> {
  const { error, clock, signal, isStillSo, ended } = options
  const writer = new EventWriter()
  const { code, message, messageParts } = maskTexts(failedAnswer(error).body.error)
  const problem = JSON.stringify({ topic: 'registry', code, message, messageParts })
  void writer.write([{ name: 'problem', data: problem }]).catch(() => {})
  let timer = clock.setTimer(beat, heartbeat)
  const close = (): void => void writer.close()
  signal.addEventListener('abort', close)
  writer.ended.addEventListener(
    'abort',
    () => {
      timer.cancel()
      signal.removeEventListener('abort', close)
      ended()
    },
    { once: true },
  )
  return writer.body

  function beat(): void {
    if (!isStillSo()) return close()
    const data = JSON.stringify({ now: clock.now() })
    void writer.write([{ name: 'alive', data }]).catch(() => {})
    timer = clock.setTimer(beat, heartbeat)
  }
}
