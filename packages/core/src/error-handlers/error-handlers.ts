import type { Clock } from '../clock.ts'
import { ConfigurationError, type Problem } from '../errors.ts'
import type { RunReference } from '../events.ts'
import type { Logger } from '../logger.ts'
import type { ErrorHandler, RunFailure } from './error-handler.ts'
import { messageOf, stackOf } from '../thrown.ts'

export interface ErrorHandlersHost {
  readonly clock: Clock
  readonly logger: Logger
  /** Where THROW sends an error; nothing that a scheduler could catch is above a job's code. */
  readonly raise: (error: Error) => void
  /** Where a handler that cannot end says so. */
  readonly report: (error: unknown) => void
}

/** LOG, THROW and IGNORE, as in Java, and handlers of one's own. */
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

  /** The handler of a name, LOG without one. A name that nobody knows is an error. */
  get(type: string | undefined): ErrorHandler {
    const handler = this.#handlers.get(keyOf(type ?? this.#log.type))
    if (handler === undefined) {
      throw refused(`there is no error handler "${type}"; there are ${this.#names}${whereIs(type)}`)
    }
    return handler
  }

  /** What is wrong with a job that asks for this handler with these `props`. */
  problemsOf(
    type: string | undefined,
    props: Readonly<Record<string, string>>,
  ): readonly Problem[] {
    return this.get(type).problemsOf?.(props) ?? []
  }

  /** Begins what nobody waits for; whatever it fails with is reported. */
  begin(work: () => Promise<void> | void, report: (error: unknown) => void): void {
    const done = started(work)
      .catch(report)
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  /** Lets what is under way end within so many milliseconds. What comes later is logged and goes no further. */
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

/** At once, as a promise whatever it is. */
async function started(work: () => Promise<void> | void | undefined): Promise<void> {
  await work()
}

/** The case of a name does not matter. */
function keyOf(type: string): string {
  return type.toUpperCase()
}

/** Handlers that a configuration of Java's may name, and that have to be given to the scheduler here. */
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
