import type { Peer } from '../peer.ts'
import type { SnapshotSession } from '../transaction.ts'
import { ExpiryQueue } from './expiry-queue.ts'

/** A live session. */
export interface LiveSession {
  readonly sessionId: bigint
  readonly password: Uint8Array
  /** As negotiated when its client last connected. */
  timeout: number
  /** Its client's connection, if connected. */
  peer: Peer | undefined
}

/** The live sessions, and when each expires. */
export class SessionTable {
  readonly #sessions = new Map<bigint, LiveSession>()
  readonly #expiry: ExpiryQueue<LiveSession>

  constructor(tickTime: number) {
    this.#expiry = new ExpiryQueue(tickTime)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** The sessions by expiry time. */
  get buckets(): ReadonlyMap<number, ReadonlySet<LiveSession>> {
    return this.#expiry.buckets
  }

  get(sessionId: bigint): LiveSession | undefined {
    return this.#sessions.get(sessionId)
  }

  [Symbol.iterator](): IterableIterator<LiveSession> {
    return this.#sessions.values()
  }

  add({ sessionId, password, timeout }: SnapshotSession, now: number): LiveSession {
    const session: LiveSession = { sessionId, password, timeout, peer: undefined }
    this.#sessions.set(sessionId, session)
    this.touch(session, now)
    return session
  }

  /** Input of the client arrived: the session lives for another timeout. */
  touch(session: LiveSession, now: number): void {
    this.#expiry.touch(session, now, session.timeout)
  }

  /** When the session expires without input of its client, in monotonic time. */
  deadlineOf(session: LiveSession): number {
    return this.#expiry.deadlineOf(session) ?? 0
  }

  remove(session: LiveSession): void {
    this.#sessions.delete(session.sessionId)
    this.#expiry.remove(session)
  }

  /** The expired sessions. They stay in the table. */
  takeExpired(now: number): LiveSession[] {
    return this.#expiry.takeExpired(now)
  }
}
