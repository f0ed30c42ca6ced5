/** Custom code around the code of runs. */
import type { RunOutcome, RunReference } from '../events.ts'
import type { ClaimedRun } from '../execution/run.ts'

/** The result of the code of runs. */
export interface RunEnd {
  readonly outcome: RunOutcome
  readonly error: unknown
}

/**
 * Called around the code of runs, including its retries. A context that it sets up, such as an `AsyncLocalStorage`, is
 * available inside the code. `runs`: the shards that one call of the code runs together. `next` runs the code and
 * returns its result, which an interceptor cannot change. If an interceptor fails before it calls `next()`, the run
 * fails; a later failure is emitted as `error:unhandled`.
 */
export type RunInterceptor = (
  runs: readonly RunReference[],
  next: () => Promise<RunEnd>,
) => Promise<unknown>

/** Runs the code inside the interceptors; the first is the outermost. */
export async function intercepted(
  interceptors: readonly RunInterceptor[],
  runs: readonly ClaimedRun[],
  code: () => Promise<RunEnd>,
  failed: (error: unknown) => void,
): Promise<RunEnd> {
  // Code that is aborted before its start does not run, so there is nothing to intercept.
  if (runs.some(({ abort }) => abort.isAborted)) return code()
  const references = runs.map(({ reference }) => reference)
  const run: { end?: Promise<RunEnd> } = {}
  const innermost = (): Promise<RunEnd> => (run.end ??= code())
  const outermost = interceptors.reduceRight<() => Promise<RunEnd>>(
    (next, interceptor) => async () => {
      await interceptor(references, next)
      if (run.end === undefined) throw new TypeError('an interceptor has not called next()')
      return run.end
    },
    innermost,
  )
  try {
    return await outermost()
  } catch (error) {
    if (run.end === undefined) return { outcome: 'failure', error }
    failed(error)
    return run.end
  }
}
