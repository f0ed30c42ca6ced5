/** Something of one's own around the code of runs. */
import type { RunOutcome, RunReference } from '../events.ts'
import type { ClaimedRun } from '../execution/run.ts'

/** What came of the code of runs. */
export interface RunEnd {
  readonly outcome: RunOutcome
  readonly error: unknown
}

/**
 * Called around the code of runs, its retries included: what it sets up, such as an `AsyncLocalStorage`, holds inside
 * of the code. `runs` are the shards that the code runs as one; `next` runs the code and tells what came of it, which
 * cannot be changed here. An interceptor that fails before `next()` is called has the run fail; a later failure is told
 * by `error:unhandled`.
 */
export type RunInterceptor = (
  runs: readonly RunReference[],
  next: () => Promise<RunEnd>,
) => Promise<unknown>

/** Runs the code inside of the interceptors, the first of them outermost. */
export async function intercepted(
  interceptors: readonly RunInterceptor[],
  runs: readonly ClaimedRun[],
  code: () => Promise<RunEnd>,
  failed: (error: unknown) => void,
): Promise<RunEnd> {
  // Code that was told to end before it began does not begin: there is nothing to be around.
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
