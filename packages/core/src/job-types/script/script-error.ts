import { ElasticJobError } from '../../errors.ts'

/** A script that ran and failed. */
export class ScriptError extends ElasticJobError {
  override readonly name = 'ScriptError'
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  /** The signal that ended it; null if it exited by itself. */
  readonly signal: NodeJS.Signals | null

  constructor(
    message: string,
    end: { readonly code: number | null; readonly signal: NodeJS.Signals | null },
    cause?: unknown,
  ) {
    super('JOB_SCRIPT_FAILED', message, cause)
    this.exitCode = end.code
    this.signal = end.signal
  }
}
