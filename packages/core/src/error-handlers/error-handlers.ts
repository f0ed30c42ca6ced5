import type { Clock } from '../clock.ts'
import { ConfigurationError, type Problem } from '../errors.ts'
import type { RunReference } from '../events.ts'
import type { Logger } from '../logger.ts'
import type { ErrorHandler, RunFailure } from './error-handler.ts'
import { messageOf, stackOf } from '../thrown.ts'

export interface ErrorHandlersHost {
  readonly clock: Clock
  readonly logger: Logger
  /** Raises the errors of THROW: a scheduled run has no caller that could catch them. */
  readonly raise: (error: Error) => void
  /** Receives an error if a handler fails to stop. */
  readonly report: (error: unknown) => void
}

/** LOG, THROW and IGNORE, as in Java, and custom handlers. */
export class ErrorHandlers {
  readonly #host: ErrorHandlersHost
  readonly #handlers = new Map<string, ErrorHandler>()
  readonly #custom: readonly ErrorHandler[]
  readonly #log: ErrorHandler
  readonly #underWay = new Set<Promise<void>>()

  constructor(host: ErrorHandlersHost, custom: readonly ErrorHandler[] = []) {
    this.#host = host
    this.#custom = custom
    this.#log = { type: 'LOG', handle: (failure) => host.logger.error(describe(failure)) }
    const raising: ErrorHandler = {
      type: 'THROW',
      handle: ({ run, error }) => host.raise(wrap(run, error)),
    }
    const ignoring: ErrorHandler = { type: 'IGNORE', handle: () => {} }
    for (const handler of [this.#log, raising, ignoring, ...custom]) this.#add(handler)
  }

  /** The handler with this name, LOG without one. Throws if the name is unknown. */
  get(type: string | undefined): ErrorHandler {
    const handler = this.#handlers.get(keyOf(type ?? this.#log.type))
    if (handler === undefined) {
      throw refused(`there is no error handler "${type}"; there are ${this.#names}${whereIs(type)}`)
    }
    return handler
  }

  /** The problems of a job with this handler and these `props`. */
  problemsOf(
    type: string | undefined,
    props: Readonly<Record<string, string>>,
  ): readonly Problem[] {
    return this.get(type).problemsOf?.(props) ?? []
  }

  /** Starts work that no caller waits for; reports its error. */
  begin(work: () => Promise<void> | void, report: (error: unknown) => void): void {
    const done = started(work)
      .catch(report)
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  /** Gives pending work this many milliseconds to complete. Later failures are only logged. */
  async stop(limit: number): Promise<void> {
    for (const { type } of this.#custom) this.#handlers.set(keyOf(type), this.#log)
    const { clock, report } = this.#host
    const giveUp = new AbortController()
    if (limit <= 0) giveUp.abort()
    const ended = Promise.all([
      ...this.#custom.map((one) => started(() => one.stop?.(giveUp.signal)).catch(report)),
      ...this.#underWay,
    ])
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(() => {
        giveUp.abort()
        resolve()
      }, limit)
      void ended.then(() => {
        timer.cancel()
        resolve()
      })
    })
  }

  #add(handler: ErrorHandler): void {
    const key = keyOf(handler.type)
    if (this.#handlers.has(key)) {
      throw refused(`there are two error handlers "${handler.type}"`)
    }
    this.#handlers.set(key, handler)
  }

  get #names(): string {
    return [...this.#handlers.values()].map(({ type }) => type).join(', ')
  }
}

/** Starts the work at once and wraps its result or error in a promise. */
async function started(work: () => Promise<void> | void | undefined): Promise<void> {
  await work()
}

/** Names are case-insensitive. */
function keyOf(type: string): string {
  return type.toUpperCase()
}

/** Handlers of Java configurations that have to be passed to the scheduler here. */
const elsewhere = new Set(['EMAIL', 'DINGTALK', 'WECHAT', 'SLACK', 'WEBHOOK'])

function whereIs(type = ''): string {
  if (!elsewhere.has(keyOf(type))) return ''
  return `. It is in @elasticjob/error-handlers: connect with { errorHandlers: errorHandlers() }`
}

function refused(message: string): ConfigurationError {
  return new ConfigurationError('the error handler', [{ key: 'jobErrorHandlerType', message }])
}

function describe({ run, error }: RunFailure): string {
  const { jobName, shardingItem } = run
  return `Job '${jobName}' shard ${shardingItem} failed: ${stackOf(error)}`
}

function wrap({ jobName, shardingItem }: RunReference, cause: unknown): Error {
  return new Error(`Job '${jobName}' shard ${shardingItem} failed: ${messageOf(cause)}`, { cause })
}
