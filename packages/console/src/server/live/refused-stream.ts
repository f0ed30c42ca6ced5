/**
 * A stream that has nothing to follow: it says why, and stays open. A browser does not show a page the answer that its
 * EventSource was refused with: a refusal would look like a server that is gone.
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
  /** Whether the reader may still read, and there is still nothing to follow. */
  readonly isStillSo: () => boolean
  /** Called once, when the stream has ended. */
  readonly ended: () => void
}

/** A sign of life, in milliseconds, as every stream gives it. */
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
