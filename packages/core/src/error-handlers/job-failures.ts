import type { ErrorContext, OnError, RunFailure } from './error-handler.ts'
import type { ErrorHandlers } from './error-handlers.ts'

/** Passes the failures of one job to its callback and to its current handler. */
export class JobFailures {
  readonly #handlers: ErrorHandlers
  readonly #makeContext: () => ErrorContext
  readonly #type: () => string | undefined
  readonly #onError: OnError | undefined
  /** Created for the first failure: most jobs have none. */
  #context: ErrorContext | undefined

  constructor(
    handlers: ErrorHandlers,
    makeContext: () => ErrorContext,
    type: () => string | undefined,
    onError: OnError | undefined,
  ) {
    this.#handlers = handlers
    this.#makeContext = makeContext
    this.#type = type
    this.#onError = onError
  }

  /** Whether nothing may run after an error. */
  get areThrown(): boolean {
    return this.#handlers.get(this.#type()).type === 'THROW'
  }

  /** Calls the callback and the handler; a failure of one does not affect the other. */
  handle(failure: RunFailure): void {
    const context = (this.#context ??= this.#makeContext())
    const { report } = context
    const onError = this.#onError
    if (onError !== undefined) this.#handlers.begin(() => onError(failure), report)
    const handler = this.#handlers.get(this.#type())
    this.#handlers.begin(() => handler.handle(failure, context), report)
  }
}
