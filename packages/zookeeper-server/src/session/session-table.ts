import type { Peer } from '../peer.ts'
import type { SnapshotSession } from '../transaction.ts'
import { ExpiryQueue } from './expiry-queue.ts'

/** A session, as long as it lives. */
export interface LiveSession {
  readonly sessionId: bigint
  readonly password: Uint8Array
  /** As negotiated when its client last connected. */
  timeout: number
  /** Its client's connection, while there is one. */
  peer: Peer | undefined
}

/** The sessions that live, and when each of them will end if nothing is heard of its client. */
export class SessionTable {
  readonly #sessions = new Map<bigint, LiveSession>()
  readonly #expiry: ExpiryQueue<LiveSession>

  constructor(tickTime: number) {
    this.#expiry = new ExpiryQueue(tickTime)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** The sessions by the time at which they will end. */
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

  /** Something was heard of the client: the session lives for another timeout. */
  touch(session: LiveSession, now: number): void {
    this.#expiry.touch(session, now, session.timeout)
  }

  /** When the session will end if nothing is heard of its client, by the monotonic clock. */
  deadlineOf(session: LiveSession): number {
    return this.#expiry.deadlineOf(session) ?? 0
  }

  remove(session: LiveSession): void {
    this.#sessions.delete(session.sessionId)
    this.#expiry.remove(session)
  }

  /** The sessions whose time is over. They are still in the table. */
  takeExpired(now: number): LiveSession[] {
    return this.#expiry.takeExpired(now)
  }
}
