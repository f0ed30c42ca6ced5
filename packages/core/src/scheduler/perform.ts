/** One run of a job's code, within its limits: it ends when the code has ended, not before. */
import type { Clock, Timer } from '../clock.ts'
import { ElasticJobError } from '../errors.ts'
import type { Emit, RunOutcome } from '../events.ts'
import type { ClaimedRun } from '../execution/runs.ts'
import type { Random } from '../random.ts'
import { pauseBefore, type RunLimits } from './run-limits.ts'

export interface PerformHost {
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
}

export interface Performed {
  readonly outcome: RunOutcome
  readonly error: unknown
}

/** Code that was asked to end is given so long before it is said aloud that it has not. */
const stuckAfter = 5000

/** `runs` are the items that the code runs as one. */
export async function perform(
  host: PerformHost,
  runs: readonly ClaimedRun[],
  limits: RunLimits,
  body: () => Promise<void>,
): Promise<Performed> {
  const { emit } = host
  if (isAborted(runs)) return { outcome: 'not-started', error: undefined }
  for (const { reference } of runs) emit('run:started', reference)
  const watch = new RunWatch(host, runs, limits.timeout)
  try {
    for (let retry = 1; ; retry++) {
      try {
        await body()
        return { outcome: 'success', error: undefined }
      } catch (error) {
        // A body that rejects after it was told to end has not done its work.
        const ended = endedEarly(runs, watch, error)
        if (ended !== undefined) return ended
        if (retry > limits.retries) return { outcome: 'failure', error }
        const pause = pauseBefore(retry, limits, host.random.fraction())
        for (const { reference } of runs) emit('run:retried', { ...reference, retry, error, pause })
        await paused(host.clock, pause, runs)
        const endedMeanwhile = endedEarly(runs, watch, error)
        if (endedMeanwhile !== undefined) return endedMeanwhile
      }
    }
  } finally {
    watch.stop()
  }
}

/** What came of a run that was told to end: one that took too long has failed, and nobody takes it over. */
function endedEarly(
  runs: readonly ClaimedRun[],
  { timedOut }: RunWatch,
  error: unknown,
): Performed | undefined {
  if (timedOut !== undefined) return { outcome: 'failure', error: timedOut }
  return isAborted(runs) ? { outcome: 'aborted', error } : undefined
}

function isAborted(runs: readonly ClaimedRun[]): boolean {
  return runs.some(({ signal }) => signal.aborted)
}

/** Waits, or until the run is told to end. */
function paused(clock: Clock, pause: number, runs: readonly ClaimedRun[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(done, pause)
    function done(): void {
      timer.cancel()
      for (const { signal } of runs) signal.removeEventListener('abort', done)
      resolve()
    }
    for (const { signal } of runs) signal.addEventListener('abort', done, { once: true })
  })
}

/** Aborts a run that takes too long, and says when one that was aborted does not end. */
class RunWatch {
  timedOut: ElasticJobError | undefined
  readonly #host: PerformHost
  readonly #runs: readonly ClaimedRun[]
  #limit: Timer | undefined
  #stuck: Timer | undefined

  constructor(host: PerformHost, runs: readonly ClaimedRun[], timeout: number) {
    this.#host = host
    this.#runs = runs
    if (timeout > 0) this.#limit = host.clock.setTimer(() => this.#expire(timeout), timeout)
    for (const { signal } of runs) signal.addEventListener('abort', this.#aborted, { once: true })
  }

  stop(): void {
    this.#limit?.cancel()
    this.#stuck?.cancel()
    for (const { signal } of this.#runs) signal.removeEventListener('abort', this.#aborted)
  }

  #expire(timeout: number): void {
    const message = `the run took longer than ${timeout} ms`
    this.timedOut = new ElasticJobError('JOB_RUN_TIMEOUT', message)
    for (const run of this.#runs) run.abort(this.timedOut)
  }

  readonly #aborted = (): void => {
    this.#stuck ??= this.#host.clock.setTimer(() => {
      const since = this.#host.clock.now() - stuckAfter
      for (const { reference, signal } of this.#runs) {
        const reason: unknown = signal.reason
        this.#host.emit('run:stuck', { ...reference, reason, since })
      }
    }, stuckAfter)
  }
}
