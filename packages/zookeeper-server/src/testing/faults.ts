import { opCode } from '@elasticjob/zookeeper/protocol'
import type { Connection } from '../net/connection.ts'
import type { Peer } from '../peer.ts'
import { insides, type ServerInsides } from '../running-server.ts'
import type { LiveSession } from '../session/session-table.ts'

/** Which requests are meant. */
export interface RequestFilter {
  /**
   * Only those of this session.
   * @default any
   */
  readonly sessionId?: bigint
  /**
   * Only those of this type: a value of `opCode`.
   * @default any but pings
   */
  readonly type?: number
}

/** What a test can do to a server. */
export interface Faults {
  /** The sessions that live. */
  readonly sessionIds: readonly bigint[]
  /** Ends a session as if nothing had been heard of its client for too long. */
  expireSession(sessionId: bigint): void
  /** Cuts the connection of a session; the session goes on. */
  dropConnection(sessionId: bigint): void
  /** Cuts all connections; the sessions go on. */
  dropConnections(): void
  /** Stops like a process that was stopped: takes connections and bytes, and does nothing. */
  pause(): void
  /** Goes on as if no time had been lost: sessions that should have ended meanwhile end now. */
  resume(): void
  /** Everything that is sent from now on leaves so many milliseconds later. */
  delay(milliseconds: number): void
  /**
   * Carries out the next request, then cuts its connection instead of answering. Resolves when that
   * has happened.
   */
  loseNextReply(filter?: RequestFilter): Promise<void>
  /** Takes no new connections; those that are open stay open. */
  refuseConnections(): Promise<void>
  /** Takes new connections again. */
  acceptConnections(): Promise<void>
  /** Makes the server's wall clock jump; the lives of sessions do not depend on it. */
  jumpClock(milliseconds: number): void
}

const known = new WeakMap<object, Faults>()

/** The faults of a server, as verbs. */
export function faultsOf(server: object): Faults {
  const parts = insides.get(server)
  if (parts === undefined) throw new TypeError('not a server that was started here')
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
