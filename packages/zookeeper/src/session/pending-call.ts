import type { Call } from '../connection/call.ts'
import { serverFailure, ZooKeeperError, type ZooKeeperErrorCode } from '../errors.ts'
import type { ClientOperation } from '../jute/operation.ts'
import type { JuteReader } from '../jute/reader.ts'
import type { JuteWriter } from '../jute/writer.ts'

/** What a caller may say about one request. */
export interface RequestOptions {
  /** Gives up waiting when it aborts. A write that was already sent may still be carried out. */
  readonly signal?: AbortSignal
  /**
   * How long to wait for the answer, in milliseconds, the time without a connection included.
   * @default the client's `requestTimeout`
   */
  readonly timeout?: number
  /**
   * What becomes of a request while there is no connection: it waits for one, or fails at once.
   * @default the client's `whileDisconnected`
   */
  readonly whileDisconnected?: 'wait' | 'fail'
}

/** What a caller may say about one request that is one read. */
export interface AnswerOptions extends RequestOptions {
  /**
   * Called when the server's answer arrives, in its place among the watch events: all that happened
   * before it has been told, nothing that happened after it. The promise cannot say that: it is settled
   * behind the events that came in one piece with the answer.
   * @default nobody
   */
  readonly onAnswer?: () => void
}

/** What has to happen in the moment an answer arrives, before anybody else learns of it. */
export interface CallHooks<Reply> {
  /** An answer has arrived, of whatever kind. */
  readonly onAnswer?: () => void
  /** The server carried it out. `abandoned`: its caller does not wait for it any more. */
  readonly onReply?: (reply: Reply, abandoned: boolean) => void
  /** The server refused it. What is answered here is the caller's answer instead of an error. */
  readonly onRefusal?: (errno: number, abandoned: boolean) => { reply: Reply } | undefined
  /** It was never carried out, or nobody will ever know: the second is `outcomeUnknown`. */
  readonly onLoss?: (outcomeUnknown: boolean) => void
}

/** How a call reports to the session that owns it. */
export interface CallOwner {
  /** It was answered: the server has got what was sent then. */
  answered(stamp: number): void
  /** A write was carried out: proof that the session lived when the write was sent. */
  proven(stamp: number): void
  settled(): void
}

/** One request from the moment it is asked for to the moment its caller has the answer. */
export class PendingCall<Request, Reply> implements Call {
  readonly promise: Promise<Reply>
  readonly operation: ClientOperation<Request, Reply>
  readonly path: string | undefined
  readonly deadline: number
  readonly waits: boolean
  /** When it was sent, in lease time; 0 while it was not. */
  stamp = 0
  readonly #request: Request
  readonly #hooks: CallHooks<Reply>
  readonly #owner: CallOwner
  readonly #signal: AbortSignal | undefined
  #resolve!: (reply: Reply) => void
  #reject!: (error: unknown) => void
  #settled = false
  #answered = false

  constructor(
    operation: ClientOperation<Request, Reply>,
    request: Request,
    path: string | undefined,
    deadline: number,
    waits: boolean,
    owner: CallOwner,
    hooks: CallHooks<Reply>,
    signal: AbortSignal | undefined,
  ) {
    this.operation = operation
    this.path = path
    this.deadline = deadline
    this.waits = waits
    this.#request = request
    this.#owner = owner
    this.#hooks = hooks
    this.#signal = signal
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal?.addEventListener('abort', this.#aborted)
  }

  get name(): string {
    return this.operation.name
  }

  get code(): number {
    return this.operation.code
  }

  get isWrite(): boolean {
    return this.operation.isWrite
  }

  get settled(): boolean {
    return this.#settled
  }

  writeRequest(writer: JuteWriter): void {
    this.operation.writeRequest(writer, this.#request)
  }

  succeed(reader: JuteReader): void {
    const reply = this.operation.readReply(reader)
    this.#owner.answered(this.stamp)
    this.#prove()
    this.#answered = true
    this.#hooks.onAnswer?.()
    this.#hooks.onReply?.(reply, this.#settled)
    if (this.#settle()) this.#resolve(reply)
  }

  refuse(errno: number): void {
    this.#owner.answered(this.stamp)
    this.#answered = true
    this.#hooks.onAnswer?.()
    const answer = this.#hooks.onRefusal?.(errno, this.#settled)
    if (!this.#settle()) return
    if (answer === undefined) this.#reject(serverFailure(errno, this.name, this.path))
    else this.#resolve(answer.reply)
  }

  fail(error: unknown): void {
    if (!this.#answered) this.#hooks.onLoss?.(this.stamp !== 0)
    this.giveUp(error)
  }

  /** Rejects for the caller alone: the answer may still come, and its hooks still run. */
  giveUp(error: unknown): void {
    if (this.#settle()) this.#reject(error)
  }

  /** The error of a call about its own operation and path. */
  error(code: ZooKeeperErrorCode, reason: string): ZooKeeperError {
    const subject = this.path === undefined ? this.name : `${this.name} ${this.path}`
    const outcomeUnknown = this.isWrite && this.stamp !== 0
    const doubt = outcomeUnknown ? '; whether the server carried it out is unknown' : ''
    return new ZooKeeperError(code, `${subject}: ${reason}${doubt}`, {
      operation: this.name,
      ...(this.path === undefined ? {} : { path: this.path }),
      outcomeUnknown,
    })
  }

  readonly #aborted = (): void => {
    this.giveUp(this.#signal?.reason)
  }

  #prove(): void {
    if (this.operation.isWrite) this.#owner.proven(this.stamp)
  }

  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    this.#signal?.removeEventListener('abort', this.#aborted)
    this.#owner.settled()
    return true
  }
}

/** A call of whatever kind. */
export type AnyCall = Pick<
  PendingCall<never, never>,
  'deadline' | 'error' | 'fail' | 'giveUp' | 'isWrite' | 'settled' | 'stamp' | 'waits'
> &
  Call
