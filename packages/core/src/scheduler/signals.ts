/** A process that is told to end drains first; told twice, it ends at once. */
import { constants } from 'node:os'

export interface Stoppable {
  stop(): Promise<void>
}

const signals = ['SIGTERM', 'SIGINT'] as const

/** The signals are the process's own: all schedulers in it share one handler. */
const draining = new Set<Stoppable>()
let isListening = false
let isEnding = false

/** From now on a signal stops the scheduler; the answer takes that back. */
export function drainOnSignals(scheduler: Stoppable): () => void {
  if (draining.size === 0) isEnding = false
  // Before all others: one that listens once has left the list by the time those behind it are called.
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
  // Somebody waits in front of it and has had enough.
  if (isEnding) process.exit(128 + constants.signals[signal])
  isEnding = true
  // Who has a handler of their own has more to do, and ends the process when it is done.
  const others = process.listenerCount(signal) > 1
  void Promise.allSettled([...draining].map((scheduler) => scheduler.stop())).then((results) => {
    if (others) return
    const failed = results.some(({ status }) => status === 'rejected')
    // Process 1 of a container ignores a signal that it sends itself: it has to exit explicitly.
    process.exit(failed ? 1 : 0)
  })
}
