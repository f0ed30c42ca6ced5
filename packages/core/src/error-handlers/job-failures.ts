import type { ErrorContext, OnError, RunFailure } from './error-handler.ts'
import type { ErrorHandlers } from './error-handlers.ts'

/** Where the failures of one job go: to its own callback, and to the handler that it has at the moment. */
export class JobFailures {
  readonly #handlers: ErrorHandlers
  readonly #makeContext: () => ErrorContext
  readonly #type: () => string | undefined
  readonly #onError: OnError | undefined
  /** Made for the first failure: most jobs have none. */
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

  /** Whether nothing shall run after an error. */
  get areThrown(): boolean {
    return this.#handlers.get(this.#type()).type === 'THROW'
  }

  /** The callback and the handler are told of it, each whatever becomes of the other. */
  handle(failure: RunFailure): void {
    const context = (this.#context ??= this.#makeContext())
    const { report } = context
    const onError = this.#onError
    if (onError !== undefined) this.#handlers.begin(() => onError(failure), report)
    const handler = this.#handlers.get(this.#type())
    this.#handlers.begin(() => handler.handle(failure, context), report)
  }
}
