import { ElasticJobError } from '../../errors.ts'

/** A request that was refused, or that has got no answer. */
export class HttpError extends ElasticJobError {
  override readonly name = 'HttpError'
  /** What the server answered; undefined if it has not. */
  readonly status: number | undefined

  constructor(message: string, status?: number, cause?: unknown) {
    super('JOB_HTTP_FAILED', message, cause)
    this.status = status
  }
}
