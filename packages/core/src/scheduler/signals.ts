/** Drains the process on a termination signal; a second signal ends it at once. */
import { constants } from 'node:os'

export interface Stoppable {
  stop(): Promise<void>
}

const signals = ['SIGTERM', 'SIGINT'] as const

/** Signals belong to the process: all its schedulers share one handler. */
const draining = new Set<Stoppable>()
let isListening = false
let isEnding = false

/** A signal stops the scheduler from now on; the returned function removes the scheduler again. */
export function drainOnSignals(scheduler: Stoppable): () => void {
  if (draining.size === 0) isEnding = false
  // In front of all other listeners: a `once` listener that ran earlier would no longer be in the list, and `handle`
  // would not count it.
  if (!isListening) for (const signal of signals) process.prependListener(signal, handle)
  isListening = true
  draining.add(scheduler)
  return () => {
    draining.delete(scheduler)
    if (draining.size > 0 || isEnding) return
    for (const signal of signals) process.off(signal, handle)
    isListening = false
  }
}

function handle(signal: NodeJS.Signals): void {
  // A second signal: the user does not want to wait for the drain.
  if (isEnding) process.exit(128 + constants.signals[signal])
  isEnding = true
  // An application with its own handler has more work to do, and ends the process itself.
  const others = process.listenerCount(signal) > 1
  void Promise.allSettled([...draining].map((scheduler) => scheduler.stop())).then((results) => {
    if (others) return
    const failed = results.some(({ status }) => status === 'rejected')
    // Process 1 of a container ignores signals that it sends to itself: it has to exit explicitly.
    process.exit(failed ? 1 : 0)
  })
}
