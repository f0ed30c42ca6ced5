import { opCode } from '@elasticjob/zookeeper/protocol'
import type { Connection } from '../net/connection.ts'
import type { Peer } from '../peer.ts'
import { insides, type ServerInsides } from '../running-server.ts'
import type { LiveSession } from '../session/session-table.ts'

/** Selects requests. */
export interface RequestFilter {
  /**
   * Only requests of this session.
   * @default any
   */
  readonly sessionId?: bigint
  /**
   * Only requests of this type: a value of `opCode`.
   * @default any except pings
   */
  readonly type?: number
}

/** The faults that a test can inject into a server. */
export interface Faults {
  /** The live sessions. */
  readonly sessionIds: readonly bigint[]
  /** Expires a session as if its client had been silent for too long. */
  expireSession(sessionId: bigint): void
  /** Closes the connection of a session; the session lives on. */
  dropConnection(sessionId: bigint): void
  /** Closes all connections; the sessions live on. */
  dropConnections(): void
  /** Suspends the server like a stopped process: it accepts connections and bytes, and does nothing. */
  pause(): void
  /** Resumes the server: sessions that timed out meanwhile expire now. */
  resume(): void
  /** Delays all output from now on by this many milliseconds. */
  delay(milliseconds: number): void
  /**
   * Carries out the next request, then closes its connection instead of answering. Resolves when that has
   * happened.
   */
  loseNextReply(filter?: RequestFilter): Promise<void>
  /** Refuses new connections; open ones stay open. */
  refuseConnections(): Promise<void>
  /** Accepts new connections again. */
  acceptConnections(): Promise<void>
  /** Makes the server's wall clock jump; session expiry does not depend on it. */
  jumpClock(milliseconds: number): void
}

const known = new WeakMap<object, Faults>()

/** The fault injection of a server. */
export function faultsOf(server: object): Faults {
  const parts = insides.get(server)
  if (parts === undefined) throw new TypeError('not a server that was started in this process')
  const faults = known.get(server) ?? new ServerFaults(parts)
  known.set(server, faults)
  return faults
}

interface LossOrder {
  readonly filter: RequestFilter
  readonly done: () => void
}

class ServerFaults implements Faults {
  readonly #parts: ServerInsides
  #delay = 0
  #losses: LossOrder[] = []

  constructor(parts: ServerInsides) {
    this.#parts = parts
  }

  get sessionIds(): readonly bigint[] {
    return [...this.#parts.core.sessions].map(({ sessionId }) => sessionId)
  }

  expireSession(sessionId: bigint): void {
    const { core, runtime } = this.#parts
    core.expire(this.#session(sessionId))
    runtime.flush()
  }

  dropConnection(sessionId: bigint): void {
    const session = this.#session(sessionId)
    for (const connection of this.#parts.runtime.connections) {
      if (connection.peer === session.peer) connection.drop()
    }
  }

  dropConnections(): void {
    for (const connection of this.#parts.runtime.connections) connection.drop()
  }

  pause(): void {
    this.#parts.runtime.suspend()
  }

  resume(): void {
    this.#parts.runtime.resume()
  }

  delay(milliseconds: number): void {
    this.#delay = milliseconds
    this.#interfere()
  }

  loseNextReply(filter: RequestFilter = {}): Promise<void> {
    return new Promise((resolve) => {
      this.#losses.push({ filter, done: resolve })
      this.#interfere()
    })
  }

  refuseConnections(): Promise<void> {
    return this.#parts.listener.close()
  }

  acceptConnections(): Promise<void> {
    return this.#parts.listener.reopen()
  }

  jumpClock(milliseconds: number): void {
    this.#parts.clock.jump(milliseconds)
  }

  #interfere(): void {
    this.#parts.runtime.interference = {
      delay: this.#delay,
      losesReply: (connection) => this.#losesReply(connection),
    }
  }

  #losesReply({ peer }: Connection): boolean {
    const order = this.#losses.find(({ filter }) => isMeant(filter, peer))
    if (order === undefined) return false
    this.#losses = this.#losses.filter((other) => other !== order)
    order.done()
    return true
  }

  #session(sessionId: bigint): LiveSession {
    const session = this.#parts.core.sessions.get(sessionId)
    if (session === undefined) throw new Error(`no session 0x${sessionId.toString(16)}`)
    return session
  }
}

function isMeant({ sessionId, type }: RequestFilter, peer: Peer): boolean {
  if (sessionId !== undefined && peer.lastSessionId !== sessionId) return false
  return type === undefined ? peer.lastType !== opCode.ping : peer.lastType === type
}
