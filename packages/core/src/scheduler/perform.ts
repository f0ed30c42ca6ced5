/** Executes the code of one run within its limits. It ends when the code has ended, not before. */
import type { Clock, Timer } from '../clock.ts'
import type { RunOutcome } from '../events.ts'
import {
  type AbortListener,
  outcomeOfAborted,
  outcomeOfUnbegun,
  type RunAbort,
  timedOut,
  unproven,
} from '../execution/run-abort.ts'
import type { ClaimedRun } from '../execution/run.ts'
import { pauseBefore, type RunLimits } from '../config/run-limits.ts'
import type { JobContext } from './job-context.ts'

export interface Performed {
  readonly outcome: RunOutcome
  readonly error: unknown
}

/** How long code that was asked to end may take before it is reported as stuck. */
const stuckAfter = 5000

/** `runs`: the shards that one call of the code runs together. */
export async function perform(
  context: JobContext,
  runs: readonly ClaimedRun[],
  limits: RunLimits,
  body: () => Promise<void>,
): Promise<Performed> {
  const { emit, services } = context
  // The runs may have waited for a free slot while the process was suspended.
  if (!context.session.client.lease.valid) for (const { abort } of runs) abort.abort(unproven())
  const abortedBefore = abortedOf(runs)
  if (abortedBefore !== undefined) {
    return { outcome: outcomeOfUnbegun(abortedBefore), error: undefined }
  }
  for (const { reference } of runs) emit('run:started', reference)
  const watch = new RunWatch(context, runs, limits.timeout)
  try {
    for (let retry = 1; ; retry++) {
      try {
        await body()
        return { outcome: 'success', error: undefined }
      } catch (error) {
        // A body that rejects after an abort has not completed its work.
        const ended = endedEarly(runs, error)
        if (ended !== undefined) return ended
        if (retry > limits.retries) return { outcome: 'failure', error }
        const pause = pauseBefore(retry, limits, services.random.fraction())
        for (const { reference } of runs) emit('run:retried', { ...reference, retry, error, pause })
        await paused(services.clock, pause, runs)
        const endedMeanwhile = endedEarly(runs, error)
        if (endedMeanwhile !== undefined) return endedMeanwhile
      }
    }
  } finally {
    watch.stop()
  }
}

/**
 * The result of an aborted run; undefined if the run is not aborted. Its error is the error of the body only for the
 * outcome `aborted`, otherwise the reason of the abort.
 */
function endedEarly(runs: readonly ClaimedRun[], error: unknown): Performed | undefined {
  const abort = abortedOf(runs)
  if (abort === undefined) return undefined
  const outcome = outcomeOfAborted(abort)
  return { outcome, error: outcome === 'aborted' ? error : abort.reason }
}

function abortedOf(runs: readonly ClaimedRun[]): RunAbort | undefined {
  return runs.find(({ abort }) => abort.isAborted)?.abort
}

/** Waits for the pause, or until the run is aborted. */
function paused(clock: Clock, pause: number, runs: readonly ClaimedRun[]): Promise<void> {
  return new Promise((resolve) => {
    const wakeable = {
      aborted: () => {
        timer.cancel()
        for (const { abort } of runs) abort.offAbort(wakeable)
        resolve()
      },
    }
    const timer = clock.setTimer(wakeable.aborted, pause)
    for (const { abort } of runs) abort.onAbort(wakeable)
  })
}

/** Aborts a run that exceeds its timeout, and reports a run that does not end after its abort. */
class RunWatch implements AbortListener {
  readonly #context: JobContext
  readonly #runs: readonly ClaimedRun[]
  #limit: Timer | undefined
  #stuck: Timer | undefined

  constructor(context: JobContext, runs: readonly ClaimedRun[], timeout: number) {
    this.#context = context
    this.#runs = runs
    if (timeout > 0)
      this.#limit = context.services.clock.setTimer(() => this.#expire(timeout), timeout)
    for (const { abort } of runs) abort.onAbort(this)
  }

  stop(): void {
    this.#limit?.cancel()
    this.#stuck?.cancel()
    for (const { abort } of this.#runs) abort.offAbort(this)
  }

  #expire(timeout: number): void {
    const reason = timedOut(timeout)
    for (const { abort } of this.#runs) abort.abort(reason)
  }

  aborted(): void {
    this.#stuck ??= this.#context.services.clock.setTimer(() => {
      const since = this.#context.services.clock.now() - stuckAfter
      for (const { reference, abort } of this.#runs) {
        const { reason } = abort
        this.#context.emit('run:stuck', { ...reference, reason, since })
      }
    }, stuckAfter)
  }
}
