import { callListener } from '../call-listener.ts'
import type { Timer } from '../clock.ts'
import { Connection, type ConnectionHandler, describe } from '../connection/connection.ts'
import type { Endpoint } from '../connection/transport.ts'
import { Deferred } from '../deferred.ts'
import { debug } from '../diagnostics.ts'
import { ZooKeeperError } from '../errors.ts'
import type { EmitEvent, SessionState } from '../events.ts'
import { Fifo } from '../fifo.ts'
import { exists } from '../jute/node-operations.ts'
import type { ClientOperation } from '../jute/operation.ts'
import type { ConnectResponse, WatcherEvent } from '../jute/records.ts'
import { closeSession } from '../jute/session-operations.ts'
import { setWatches, setWatches2, type SetWatchesRequest } from '../jute/watch-operations.ts'
import { Authenticator } from './authenticator.ts'
import { Deadlines } from './deadlines.ts'
import { EphemeralBudget } from './ephemeral-budget.ts'
import { Lease, problemOfLease, reasonForShortest } from './lease.ts'
import { LeaseTime } from './lease-time.ts'
import {
  type AnswerOptions,
  type AnyCall,
  type CallHooks,
  type CallOwner,
  PendingCall,
} from './pending-call.ts'
import { ServerSearch } from './server-search.ts'
import type { SessionOptions } from './session-options.ts'
import { oneShotReplays, watchReplays } from './watch-replay.ts'
import { watchEventType, WatchRegistry } from './watch-registry.ts'

const noSession = 0n
const noPassword = Buffer.alloc(16)

/**
 * A session that continues over any number of connections and, after an expiry, of sessions at the server. It
 * ends only when it is closed.
 */
export class Session {
  readonly watches: WatchRegistry = new WatchRegistry()
  readonly lease: Lease
  readonly ephemerals: EphemeralBudget
  readonly #options: SessionOptions
  readonly #emit: EmitEvent
  readonly #leaseTime: LeaseTime
  readonly #search: ServerSearch
  readonly #authenticator: Authenticator
  readonly #deadlines: Deadlines
  readonly #waiting = new Fifo<AnyCall>()
  readonly #owner: CallOwner
  readonly #first = new Deferred<void>()
  #state: SessionState = 'connecting'
  #closing: Promise<void> | undefined
  #connection: Connection | undefined
  #id = noSession
  #formerId = noSession
  #password: Uint8Array = noPassword
  #timeout: number
  #lastZxid = 0n
  /** Whether the handshake omits the last zxid that this client has seen. */
  #forgetful = false
  #outstanding = 0
  /** The number of unanswered requests that register watches again. */
  #replaying = 0
  #lossTimer: Timer | undefined

  constructor(options: SessionOptions, renewLease: (path: string) => void, emit: EmitEvent) {
    const { clock } = options
    this.#options = options
    this.#emit = emit
    this.#timeout = options.sessionTimeout
    this.#leaseTime = new LeaseTime(clock)
    this.#authenticator = new Authenticator(options)
    this.#deadlines = new Deadlines(
      clock,
      () => this.#outstandingCalls(),
      () => this.#dropSettled(),
    )
    this.ephemerals = new EphemeralBudget(options.ephemeralBytesLimit)
    this.lease = new Lease(clock, this.#leaseTime, options.lease, {
      renew: (path) => {
        if (this.#state === 'connected') renewLease(path)
      },
      ended: () => this.#emit('lease:ended', { sessionId: this.#id }),
      regained: () => this.#emit('lease:regained', { sessionId: this.#id }),
    })
    this.#owner = {
      answered: (stamp) => this.#heard(stamp),
      proven: (stamp) => this.lease.prove(stamp),
      settled: () => {
        this.#outstanding--
      },
    }
    // Only `start()` awaits this promise; without `start()` a rejection must not count as unhandled.
    this.#first.promise.catch(() => {})
    this.#search = new ServerSearch(options, {
      attempt: (endpoint, timeout) => this.#attempt(endpoint, timeout),
      roundRefused: () => this.#roundRefused(),
    })
  }

  get state(): SessionState {
    return this.#state
  }

  /** The session's id; 0 without a session. */
  get id(): bigint {
    return this.#id
  }

  get password(): Uint8Array {
    return this.#password
  }

  /** The negotiated timeout; the requested one without a session. */
  get timeout(): number {
    return this.#timeout
  }

  /** The highest zxid seen. */
  get lastZxid(): bigint {
    return this.#lastZxid
  }

  /** The number of unanswered requests. */
  get outstanding(): number {
    return this.#outstanding
  }

  /**
   * Searches for a server; resolves when the first session exists and the server has accepted every identity.
   */
  async start(): Promise<void> {
    const { connectTimeout, clock } = this.#options
    const limit = Number.isFinite(connectTimeout)
      ? clock.setTimer(() => this.#shutDown(this.#noSessionInTime()), connectTimeout)
      : undefined
    this.#tellRaisedTimeout()
    if (this.#state !== 'closed') this.#search.start()
    try {
      await this.#first.promise
      await this.#authenticator.settled()
    } finally {
      limit?.cancel()
    }
  }

  #tellRaisedTimeout(): void {
    const { raisedFrom: requested, sessionTimeout: timeout, lease } = this.#options
    if (requested === undefined) return
    this.#emit('session:timeout-raised', { requested, timeout, reason: reasonForShortest(lease) })
  }

  submit<Request, Reply>(
    operation: ClientOperation<Request, Reply>,
    request: Request,
    path: string | undefined,
    options: AnswerOptions = {},
    hooks: CallHooks<Reply> = {},
  ): Promise<Reply> {
    const { requestTimeout, whileDisconnected, maxOutstanding, clock } = this.#options
    const timeout = options.timeout ?? requestTimeout
    const waits = (options.whileDisconnected ?? whileDisconnected) === 'wait'
    const deadline = clock.monotonic() + timeout
    const call = new PendingCall(
      operation,
      request,
      path,
      deadline,
      waits,
      this.#owner,
      withOnAnswer(hooks, options.onAnswer),
      options.signal,
    )
    this.#outstanding++
    if (this.#state === 'closed' || this.#closing !== undefined) {
      call.fail(call.error('ZK_CLOSED', 'the client is closed'))
    } else if (options.signal?.aborted === true) {
      call.fail(options.signal.reason)
    } else if (this.#outstanding > maxOutstanding) {
      const reason = `${maxOutstanding} requests are already waiting (maxOutstanding)`
      call.fail(call.error('ZK_QUEUE_FULL', reason))
    } else {
      this.#accept(call)
    }
    return call.promise
  }

  /** Authenticates now and after every reconnect. */
  addAuth(scheme: string, auth: Uint8Array): Promise<void> {
    return this.#authenticator.add({ scheme, auth }, this.#connected())
  }

  /**
   * Registers the one-shot watches of a path at the server, after the watch that covered them was removed.
   */
  rearmOneShots(path: string): void {
    const connection = this.#connected()
    if (connection === undefined) return
    sendWatches(connection, oneShotReplays(this.watches, path, this.#lastZxid))
  }

  /**
   * Ends the session at the server, including its ephemeral nodes. The server closes the connection, and the
   * client opens a new session, as after an expiry. Does nothing without a connection.
   */
  renew(): Promise<void> {
    const connection = this.#connected()
    if (connection === undefined || this.#closing !== undefined) return Promise.resolve()
    return this.#endAtServer(connection)
  }

  /** Ends the session at the server if it is reachable, and releases everything. Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #connected(): Connection | undefined {
    return this.#state === 'connected' ? this.#connection : undefined
  }

  #accept(call: AnyCall): void {
    const connection = this.#connected()
    if (connection !== undefined) {
      this.#dispatch(connection, call)
    } else if (call.waits) {
      this.#waiting.push(call)
    } else {
      call.fail(call.error('ZK_NOT_CONNECTED', `there is no connection (${this.#state})`))
      return
    }
    this.#deadlines.watch(call.deadline)
  }

  #dispatch(connection: Connection, call: AnyCall): void {
    call.stamp = this.#leaseTime.stamp(connection.batchAt)
    connection.send(call)
  }

  /**
   * The server answered a packet that was sent at this moment. The answer counts from now, including every
   * suspension: counted from before a suspension that has just ended, it would look as if the ensemble's
   * leader had heard of it long ago.
   */
  #heard(sent: number): void {
    if (this.#connected() !== undefined) this.lease.heard(sent, this.#leaseTime.now())
  }

  *#outstandingCalls(): Generator<AnyCall> {
    yield* this.#waiting
    for (const call of this.#connection?.calls ?? []) yield call as AnyCall
  }

  /** Drops requests whose caller has given up. */
  #dropSettled(): void {
    for (const call of this.#waiting.drain()) {
      if (call.settled) call.fail(undefined)
      else this.#waiting.push(call)
    }
  }

  /** Tries one server once. Returns the failure, or undefined once the session is attached. */
  #attempt(endpoint: Endpoint, handshakeTimeout: number): Promise<ZooKeeperError | undefined> {
    const { clock, transport, maxFrameBytes, maxRequestBytes, sessionTimeout } = this.#options
    const stamp = this.#leaseTime.now()
    const outcome = new Deferred<ZooKeeperError | undefined>()
    const handler: ConnectionHandler = {
      established: (response) => this.#established(connection, response, stamp, outcome.resolve),
      advanced: (zxid) => {
        if (zxid > this.#lastZxid) this.#lastZxid = zxid
      },
      notified: (event) => this.#notify(event),
      authAnswered: (errno) => {
        const failure = this.#authenticator.answered(errno)
        if (failure !== undefined) this.#shutDown(failure)
      },
      watchesRegistered: () => {
        if (this.#replaying > 0) this.#replaying--
      },
      stamp: (monotonic) => this.#leaseTime.stamp(monotonic),
      pingAnswered: (sent) => {
        if (this.#connected() === connection) this.#heard(sent)
      },
      closed: (error) => {
        if (this.#connected() === connection) this.#detach(connection, error)
        for (const call of connection.takeCalls()) call.fail(error)
        outcome.resolve(error)
      },
    }
    const handshake = {
      lastZxidSeen: this.#forgetful ? 0n : this.#lastZxid,
      timeout: sessionTimeout,
      sessionId: this.#id,
      password: this.#password,
      readOnly: false,
    }
    const settings = {
      clock,
      transport,
      endpoint,
      handshakeTimeout,
      maxFrameBytes,
      maxRequestBytes,
    }
    const connection = new Connection({ ...settings, handshake }, handler)
    this.#connection = connection
    return outcome.promise
  }

  #established(
    connection: Connection,
    response: ConnectResponse,
    stamp: number,
    settle: (failure: ZooKeeperError | undefined) => void,
  ): void {
    const refuse = (error: ZooKeeperError): void => {
      connection.destroy()
      settle(error)
      if (error.code === 'ZK_AUTH_FAILED') this.#shutDown(error)
    }
    const attach = (): void => {
      // The connection may have been lost, or the client closed, during the exchange.
      if (!connection.isOpen) return
      settle(undefined)
      this.#attach(connection, response, stamp)
    }
    if (response.timeout <= 0) {
      this.#expire(this.#forgetful ? 'servers-behind' : 'expired')
      refuse(new ZooKeeperError('ZK_SESSION_EXPIRED', 'the session has expired'))
    } else if (response.sessionId === noSession || !this.#isExpected(response.sessionId)) {
      const reason = `the server answered with the wrong session 0x${response.sessionId.toString(16)}`
      refuse(new ZooKeeperError('ZK_UNEXPECTED_REPLY', reason))
    } else {
      const isDoubtful = this.#forgetful && this.#id !== noSession
      const exchange = isDoubtful
        ? this.#verify(connection)
        : this.#authenticator.handshake(connection)
      if (exchange === undefined) attach()
      else exchange.then(attach, refuse)
    }
  }

  /**
   * The session lives at a server that was not told the client's zxid. If the server is behind that zxid, it
   * was restored from older data, in which the session's nodes are older than what this client knows of them:
   * the session ends. Otherwise the refusals before were those of a starting server.
   */
  async #verify(connection: Connection): Promise<void> {
    await this.#authenticator.handshake(connection)
    await this.#requestOver(connection, exists, { path: '/', watch: false })
    const { lastZxid } = connection
    if (lastZxid === undefined) {
      const reason = 'the server answered the handshake, but no request after it'
      throw new ZooKeeperError('ZK_HANDSHAKE_TIMEOUT', reason)
    }
    if (lastZxid >= this.#lastZxid) return
    await this.#endAtServer(connection)
    const reason = `session 0x${this.#id.toString(16)} is older at the server than here: the server was restored from older data`
    throw new ZooKeeperError('ZK_SESSION_EXPIRED', reason)
  }

  #isExpected(sessionId: bigint): boolean {
    return this.#id === noSession || this.#id === sessionId
  }

  #attach(connection: Connection, response: ConnectResponse, stamp: number): void {
    const isNew = response.sessionId !== this.#id
    const formerSessionId = this.#formerId
    this.#search.found(connection.endpoint)
    this.#lossTimer?.cancel()
    this.#id = response.sessionId
    this.#password = response.password
    this.#timeout = response.timeout
    this.#state = 'connected'
    const { lease, leaseRequired } = this.#options
    const problem = leaseRequired ? problemOfLease(response.timeout, lease) : undefined
    if (problem !== undefined) {
      this.#closing ??= this.#close(problem)
      return
    }
    // The servers lost the transactions that this client has seen; with the old zxid, watches would never
    // fire.
    if (isNew && this.#forgetful) this.#lastZxid = 0n
    this.#forgetful = false
    this.#authenticator.replay(connection)
    const replays = watchReplays(this.watches, this.#lastZxid)
    this.#replaying = replays.length
    sendWatches(connection, replays)
    this.#dropSettled()
    for (const call of this.#waiting.drain()) this.#dispatch(connection, call)
    // Last, because a held lease may write at once, and so may listeners of the event.
    if (isNew) this.lease.begin(response.timeout, stamp)
    else this.lease.resume(stamp)
    const server = describe(connection.endpoint)
    const payload = { sessionId: this.#id, timeout: this.#timeout, server }
    debug('session 0x%s attached at %s', this.#id.toString(16), server)
    this.#first.resolve()
    if (!isNew) this.#emit('session:reconnected', payload)
    else if (formerSessionId === noSession) this.#emit('session:connected', payload)
    else this.#emit('session:renewed', { ...payload, formerSessionId })
  }

  /**
   * Handles a lost connection. Sends unanswered reads again, but not writes: the server may have carried them
   * out.
   */
  #detach(connection: Connection, reason: ZooKeeperError): void {
    this.#state = 'suspended'
    const later = this.#waiting.drain()
    const inFlight = connection.takeCalls() as AnyCall[]
    // The read whose reply broke this connection would break the next one too.
    const culprit = isFaultOfReply(reason) ? inFlight[0] : undefined
    for (const call of inFlight) {
      if (call.settled) call.fail(reason)
      else if (call === culprit && !call.isWrite) call.fail(call.error(reason.code, reason.message))
      else if (call.isWrite || !call.waits) {
        call.fail(call.error('ZK_CONNECTION_LOSS', reason.message))
      } else this.#waiting.push(call)
    }
    for (const call of later) this.#waiting.push(call)
    debug('session 0x%s suspended: %s', this.#id.toString(16), reason.message)
    const heardFor = this.#options.clock.monotonic() - connection.heardAt
    this.#lossTimer = this.#options.clock.setTimer(() => this.#lose(), this.#timeout - heardFor)
    if (this.#closing === undefined) this.#search.start()
    this.#emit('session:suspended', { sessionId: this.#id, reason })
  }

  #lose(): void {
    if (this.#state !== 'suspended') return
    this.#state = 'lost'
    this.#emit('session:lost', { sessionId: this.#id })
  }

  /**
   * Every reachable server closed the connection without an answer. A starting server does this, and so does
   * a server that lost data and is behind the zxid this client has seen. Once the session timeout has passed,
   * every other round omits the zxid: the server then answers, and reports whether the session lives.
   */
  #roundRefused(): void {
    if (this.#state === 'lost') this.#forgetful = !this.#forgetful
  }

  #expire(reason: 'expired' | 'servers-behind'): void {
    const sessionId = this.#id
    if (sessionId === noSession) return
    this.#lossTimer?.cancel()
    const toldBefore = this.#state === 'lost'
    this.#state = 'lost'
    this.#formerId = sessionId
    this.#id = noSession
    this.#password = noPassword
    this.ephemerals.recount([])
    const waiting = this.#waiting.drain()
    for (const call of waiting) {
      call.fail(call.error('ZK_SESSION_EXPIRED', 'the session expired before it could be sent'))
    }
    this.lease.end()
    if (!toldBefore) this.#emit('session:lost', { sessionId })
    this.#emit('session:expired', { sessionId, reason })
  }

  #notify({ type, path }: WatcherEvent): void {
    const known = watchEventType(type)
    if (known === undefined) return
    const isMissed = this.#replaying > 0
    for (const { listener, event } of this.watches.take({ type: known, path }, isMissed)) {
      callListener(() => listener(event))
    }
  }

  async #close(error?: ZooKeeperError): Promise<void> {
    this.#search.stop()
    const connection = this.#connected()
    if (connection !== undefined) await this.#endAtServer(connection)
    this.#shutDown(error)
  }

  /** Ends the session. Bounded: the server expires it by itself if it does not answer. */
  #endAtServer(connection: Connection): Promise<void> {
    return this.#requestOver(connection, closeSession, undefined)
  }

  /** Waits for the answer of any kind, for a bounded time, ahead of the requests that wait for a session. */
  async #requestOver<Request, Reply>(
    connection: Connection,
    operation: ClientOperation<Request, Reply>,
    request: Request,
  ): Promise<void> {
    const call = new PendingCall(
      operation,
      request,
      undefined,
      Infinity,
      false,
      this.#owner,
      {},
      undefined,
    )
    this.#outstanding++
    connection.send(call)
    const limit = this.#options.clock.setTimer(
      () => call.fail(call.error('ZK_DEADLINE_EXCEEDED', 'the server did not answer')),
      Math.min(this.#timeout / 3, this.#options.requestTimeout),
    )
    await call.promise.catch(() => {})
    limit.cancel()
  }

  #noSessionInTime(): ZooKeeperError {
    const { connectTimeout } = this.#options
    const { pending } = this.#connection ?? {}
    const failures = this.#search.failures.filter(
      (failure) => pending === undefined || !failure.startsWith(pending),
    )
    if (pending !== undefined) failures.push(pending)
    const why = failures.length === 0 ? 'no server has been tried yet' : failures.join('; ')
    const reason = `no session within ${connectTimeout} ms (connectTimeout): ${why}`
    return new ZooKeeperError('ZK_CONNECT_FAILED', reason)
  }

  /** Closes every socket, cancels every timer and settles every promise. */
  #shutDown(error: ZooKeeperError | undefined): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#closing ??= Promise.resolve()
    this.#search.stop()
    this.#lossTimer?.cancel()
    this.#deadlines.stop()
    this.lease.end()
    this.lease.stop()
    const calls = [...(this.#connection?.takeCalls() ?? []), ...this.#waiting.drain()] as AnyCall[]
    this.#connection?.destroy()
    for (const call of calls) call.fail(error ?? call.error('ZK_CLOSED', 'the client was closed'))
    this.#authenticator.stop(error)
    this.#first.reject(error ?? new ZooKeeperError('ZK_CLOSED', 'the client was closed'))
    this.watches.clear()
    this.#emit('session:closed', { error })
  }
}

/** Whether a connection was closed because of the content of a reply. */
function isFaultOfReply({ code }: ZooKeeperError): boolean {
  return code === 'ZK_FRAME_TOO_LARGE' || code === 'ZK_MALFORMED_FRAME'
}

function withOnAnswer<Reply>(
  hooks: CallHooks<Reply>,
  onAnswer: (() => void) | undefined,
): CallHooks<Reply> {
  return onAnswer === undefined ? hooks : { ...hooks, onAnswer: () => callListener(onAnswer) }
}

/** Servers before 3.6 support only the older request, which suffices without persistent watches. */
function sendWatches(connection: Connection, requests: readonly SetWatchesRequest[]): void {
  for (const request of requests) {
    const lasting = request.persistent.length + request.recursive.length > 0
    connection.sendWatches(lasting ? setWatches2 : setWatches, request)
  }
}
