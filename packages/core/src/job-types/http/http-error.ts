import { ElasticJobError } from '../../errors.ts'

/** A request that failed or got no response. */
export class HttpError extends ElasticJobError {
  override readonly name = 'HttpError'
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined

  constructor(message: string, status?: number, cause?: unknown) {
    super('JOB_HTTP_FAILED', message, cause)
    this.status = status
  }
}
