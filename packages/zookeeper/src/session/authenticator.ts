import type { Clock } from '../clock.ts'
import type { Connection } from '../connection/connection.ts'
import { Deferred } from '../deferred.ts'
import { serverFailure, ZooKeeperError } from '../errors.ts'
import { Fifo } from '../fifo.ts'
import { type AuthRequest, sasl as saslOperation } from '../jute/session-operations.ts'
import type { Random } from '../random.ts'
import { type CallOwner, PendingCall } from './pending-call.ts'
import { DigestMd5Exchange, type SaslCredentials } from './sasl-digest-md5.ts'

interface Identity {
  readonly request: AuthRequest
  /** Whether the identity is part of the client's options; the client then cannot work without it. */
  readonly configured: boolean
  readonly accepted: Deferred<void>
  isAccepted: boolean
}

export interface AuthenticatorOptions {
  readonly auth: readonly AuthRequest[]
  readonly sasl: SaslCredentials | undefined
  readonly random: Random
  readonly clock: Clock
  readonly requestTimeout: number
}

/**
 * Authenticates the client: by SASL before any other packet, and by AUTH packets first on every connection.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions
  #identities: Identity[]
  #unanswered = new Fifo<Identity>()

  constructor(options: AuthenticatorOptions) {
    this.#options = options
    this.#identities = options.auth.map((request) => newIdentity(request, true))
  }

  /** Starts the SASL exchange, if configured: it precedes every other packet. */
  handshake(connection: Connection): Promise<void> | undefined {
    const { sasl, random } = this.#options
    if (sasl === undefined) return undefined
    return exchange(connection, new DigestMd5Exchange(sasl, random))
  }

  /** Sends every identity again on a new connection. */
  replay(connection: Connection): void {
    this.#unanswered = new Fifo()
    for (const identity of this.#identities) this.#send(connection, identity)
  }

  add(request: AuthRequest, connection: Connection | undefined): Promise<void> {
    const identity = newIdentity(request, false)
    this.#identities.push(identity)
    if (connection !== undefined) this.#send(connection, identity)
    const limit = this.#options.clock.setTimer(() => {
      this.#forget(identity)
      const reason = `the server did not accept the identity of scheme ${request.scheme} in time`
      identity.accepted.reject(new ZooKeeperError('ZK_DEADLINE_EXCEEDED', reason, { operation }))
    }, this.#options.requestTimeout)
    return identity.accepted.promise.finally(() => limit.cancel())
  }

  /**
   * Handles the server's answer to the oldest identity. Returns the error if the client cannot continue
   * without that identity.
   */
  answered(errno: number): ZooKeeperError | undefined {
    const identity = this.#unanswered.shift()
    if (identity === undefined) return undefined
    if (errno === 0) {
      identity.isAccepted = true
      identity.accepted.resolve()
      return undefined
    }
    const failure = serverFailure(errno, operation)
    const essential = identity.configured || identity.isAccepted
    this.#forget(identity)
    identity.accepted.reject(failure)
    return essential ? failure : undefined
  }

  /** Resolves when the server has accepted every identity. */
  async settled(): Promise<void> {
    await Promise.all(this.#identities.map(({ accepted }) => accepted.promise))
  }

  stop(error: ZooKeeperError | undefined): void {
    const reason = error ?? new ZooKeeperError('ZK_CLOSED', 'the client was closed', { operation })
    for (const { accepted } of this.#identities) accepted.reject(reason)
    this.#identities = []
  }

  #send(connection: Connection, identity: Identity): void {
    this.#unanswered.push(identity)
    connection.sendAuth(identity.request)
  }

  #forget(identity: Identity): void {
    this.#identities = this.#identities.filter((other) => other !== identity)
  }
}

const operation = 'auth'

function newIdentity(request: AuthRequest, configured: boolean): Identity {
  const accepted = new Deferred<void>()
  // A caller that awaits it sees the failure; without one, it must not count as an unhandled rejection.
  accepted.promise.catch(() => {})
  return { request, configured, accepted, isAccepted: false }
}

/** SASL packets prove nothing about the session and belong to no queue. */
const unowned: CallOwner = { answered() {}, proven() {}, settled() {} }

async function exchange(connection: Connection, mechanism: DigestMd5Exchange): Promise<void> {
  let token: Uint8Array | undefined = new Uint8Array(0)
  while (token !== undefined) {
    const call: PendingCall<Uint8Array, Uint8Array | null> = new PendingCall(
      saslOperation,
      token,
      undefined,
      Infinity,
      false,
      unowned,
      {},
      undefined,
    )
    connection.send(call)
    const challenge = await call.promise.catch((error: unknown) => {
      throw error instanceof ZooKeeperError && error.errno !== undefined
        ? new ZooKeeperError('ZK_AUTH_FAILED', `SASL DIGEST-MD5: ${error.message}`, {
            operation: 'sasl',
            errno: error.errno,
            cause: error,
          })
        : error
    })
    token = mechanism.answer(challenge ?? new Uint8Array(0))
  }
}
