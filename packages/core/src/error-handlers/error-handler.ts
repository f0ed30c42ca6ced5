import { ConfigurationError } from '../errors.ts'
import type { RunReference } from '../events.ts'
import type { Logger } from '../logger.ts'

/** A run that failed, and why. */
export interface RunFailure {
  readonly run: RunReference
  readonly error: unknown
}

/** What becomes of failures of a job's code. */
export interface ErrorHandler {
  /** The name by which a job asks for it. */
  readonly type: string
  handle(failure: RunFailure): void
}

/** LOG, THROW and IGNORE, as in Java, and handlers of one's own. */
export class ErrorHandlers {
  readonly #handlers = new Map<string, ErrorHandler>()

  /** `raise`: where THROW sends an error; nothing that a scheduler could catch is above a job's code. */
  constructor(logger: Logger, raise: (error: Error) => void, custom: readonly ErrorHandler[] = []) {
    const builtIn: ErrorHandler[] = [
      { type: 'LOG', handle: (failure) => logger.error(describe(failure)) },
      { type: 'THROW', handle: ({ run, error }) => raise(wrap(run, error)) },
      { type: 'IGNORE', handle: () => {} },
    ]
    for (const handler of [...builtIn, ...custom]) {
      this.#handlers.set(handler.type.toUpperCase(), handler)
    }
  }

  /** The handler of a name, LOG without one. A name that nobody knows is an error. */
  get(type: string | undefined): ErrorHandler {
    const handler = this.#handlers.get((type ?? 'LOG').toUpperCase())
    if (handler !== undefined) return handler
    const known = [...this.#handlers.values()].map((one) => one.type).join(', ')
    throw new ConfigurationError('the error handler', [
      {
        key: 'jobErrorHandlerType',
        message: `there is no error handler "${type}"; there are ${known}`,
      },
    ])
  }
}

function describe({ run, error }: RunFailure): string {
  const { jobName, shardingItem } = run
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `Job '${jobName}' item ${shardingItem} failed: ${cause}`
}

function wrap({ jobName, shardingItem }: RunReference, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`Job '${jobName}' item ${shardingItem} failed: ${message}`, { cause })
}
