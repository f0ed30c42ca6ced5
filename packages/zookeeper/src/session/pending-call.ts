import type { Call } from '../connection/call.ts'
import { describe } from '../connection/connection.ts'
import type { Endpoint } from '../connection/transport.ts'
import {
  serverFailure,
  unknownRequest,
  ZooKeeperError,
  type ZooKeeperErrorCode,
} from '../errors.ts'
import type { ClientOperation } from '../jute/operation.ts'
import type { JuteReader } from '../jute/reader.ts'
import type { JuteWriter } from '../jute/writer.ts'

/** Options of one request. */
export interface RequestOptions {
  /** Stops waiting when it aborts. A write that was already sent may still be carried out. */
  readonly signal?: AbortSignal
  /**
   * How long to wait for the answer, in milliseconds, including time without a connection.
   * @default the client's `requestTimeout`
   */
  readonly timeout?: number
  /**
   * Whether the request waits for a connection or fails at once while there is none.
   * @default the client's `whileDisconnected`
   */
  readonly whileDisconnected?: 'wait' | 'fail'
}

/** Options of a request that is a single read. */
export interface AnswerOptions extends RequestOptions {
  /**
   * Called when the server's answer arrives, in order with the watch events: after all events that happened
   * before it and before any later one. The promise does not give this order: it settles after the events
   * that arrived in the same chunk as the answer.
   * @default none
   */
  readonly onAnswer?: () => void
}

/** Callbacks at the moment an answer arrives, before the caller learns of it. */
export interface CallHooks<Reply> {
  /** An answer of any kind arrived. */
  readonly onAnswer?: () => void
  /** The server carried out the request. `abandoned`: the caller does not wait for it any more. */
  readonly onReply?: (reply: Reply, abandoned: boolean) => void
  /** The server rejected the request. A returned reply replaces the error. */
  readonly onRefusal?: (errno: number, abandoned: boolean) => { reply: Reply } | undefined
  /** The request was not carried out, or its outcome is unknown (`outcomeUnknown`). */
  readonly onLoss?: (outcomeUnknown: boolean) => void
}

/** How a call reports to its session. */
export interface CallOwner {
  /** The call was answered: the server received what was sent at this moment. */
  answered(stamp: number): void
  /** A write was carried out: it proves that the session lived when the write was sent. */
  proven(stamp: number): void
  settled(): void
}

/** One request, from the call to its answer. */
export class PendingCall<Request, Reply> implements Call {
  readonly promise: Promise<Reply>
  readonly operation: ClientOperation<Request, Reply>
  readonly path: string | undefined
  readonly deadline: number
  readonly waits: boolean
  /** When it was sent, in lease time; 0 before that. */
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

  refuse(errno: number, server: Endpoint): void {
    this.#owner.answered(this.stamp)
    this.#answered = true
    this.#hooks.onAnswer?.()
    const answer = this.#hooks.onRefusal?.(errno, this.#settled)
    if (!this.#settle()) return
    if (answer === undefined) this.#reject(this.#refusal(errno, server))
    else this.#resolve(answer.reply)
  }

  #refusal(errno: number, server: Endpoint): ZooKeeperError {
    const failure = serverFailure(errno, this.name, this.path)
    return failure.code === 'ZK_UNIMPLEMENTED' ? unknownRequest(failure, describe(server)) : failure
  }

  fail(error: unknown): void {
    if (!this.#answered) this.#hooks.onLoss?.(this.stamp !== 0)
    this.giveUp(error)
  }

  /** Rejects for the caller only: the answer may still arrive, and its hooks still run. */
  giveUp(error: unknown): void {
    if (this.#settle()) this.#reject(error)
  }

  /** Creates an error with the call's operation and path. */
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

export type AnyCall = Pick<
  PendingCall<never, never>,
  'deadline' | 'error' | 'fail' | 'giveUp' | 'isWrite' | 'settled' | 'stamp' | 'waits'
> &
  Call
