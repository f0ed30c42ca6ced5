import type { Clock, Random } from '@elasticjob/zookeeper'
import { JuteReader, JuteWriter, serverError } from '@elasticjob/zookeeper/protocol'
import type { ResolvedCoreOptions } from '../core-options.ts'
import { writePolicy, Writes } from '../request/writes.ts'
import { nextSessionId, passwordLength } from '../session/handshake.ts'
import { SessionTable } from '../session/session-table.ts'
import { ServerState } from '../state.ts'
import type { NodeChange, Transaction, TransactionBody } from '../transaction.ts'
import { expiredNodes } from '../tree/clean-up.ts'
import type { Outcome, ToLeader, ToMember } from './ensemble-messages.ts'

/** How the leader sends messages. */
export interface LeaderVoice {
  /** Sends a message to one member. */
  tell(member: number, message: ToMember): void
  /** Sends a transaction to all members; the outcome only to the member of its client. */
  commit(transaction: Transaction, to: number | undefined, outcome: Outcome | undefined): void
}

const nobody = { created: () => {}, deleted: () => {}, dataChanged: () => {} }

/**
 * The leader: creates transactions and expires sessions. It knows of clients of other members only through
 * their answers to its pings.
 */
export class EnsembleLeader {
  readonly state: ServerState = new ServerState(nobody)
  readonly #options: ResolvedCoreOptions
  readonly #clock: Clock
  readonly #random: Random
  readonly #voice: LeaderVoice
  readonly #writes: Writes
  readonly #writer = new JuteWriter()
  #sessions: SessionTable
  /** The member that each session last connected to. */
  readonly #homes = new Map<bigint, number>()
  #nextCleanUp: number
  /** The origin of the current request. */
  #origin: { readonly member: number; readonly request: number } | undefined
  #committed: Transaction | undefined

  constructor(options: ResolvedCoreOptions, clock: Clock, random: Random, voice: LeaderVoice) {
    this.#options = options
    this.#clock = clock
    this.#random = random
    this.#voice = voice
    this.#sessions = new SessionTable(options.tickTime)
    this.#nextCleanUp = clock.monotonic() + options.cleanUpInterval
    this.#writes = new Writes(this.state, writePolicy(options), (...parts) => this.#apply(...parts))
  }

  get sessionIds(): readonly bigint[] {
    return [...this.#sessions].map(({ sessionId }) => sessionId)
  }

  /** A new leader does not know when clients were last heard from: all sessions get their full timeout. */
  takeOffice(): void {
    this.#sessions = new SessionTable(this.#options.tickTime)
    for (const session of this.state.sessions.values()) {
      this.#sessions.add(session, this.#clock.monotonic())
    }
  }

  /** Expires sessions and nodes. */
  advance(): void {
    const now = this.#clock.monotonic()
    for (const { sessionId } of this.#sessions.takeExpired(now)) this.#closeSession(sessionId)
    if (now < this.#nextCleanUp) return
    this.#nextCleanUp = now + this.#options.cleanUpInterval
    for (const path of expiredNodes(this.state.tree, this.#clock.now())) {
      this.#commit(0n, { kind: 'delete', path })
    }
  }

  expire(sessionId: bigint): void {
    this.#closeSession(sessionId)
  }

  touch(sessionId: bigint, timeout: number): void {
    const session = this.#sessions.get(sessionId)
    if (session === undefined) return
    session.timeout = timeout
    this.#sessions.touch(session, this.#clock.monotonic())
  }

  handle(member: number, message: ToLeader): void {
    if (message.kind === 'touches') {
      for (const [sessionId, timeout] of message.sessions) this.touch(sessionId, timeout)
      return
    }
    if (message.kind === 'write' || message.kind === 'closeSession') {
      const { sessionId } = message
      const home = this.#homes.get(sessionId) ?? member
      if (home !== member) return this.#voice.tell(member, { kind: 'moved', sessionId })
    }
    const { request } = message
    this.#origin = { member, request }
    switch (message.kind) {
      case 'write':
        this.#write(message)
        break
      case 'createSession':
        this.#createSession(message.timeout, member)
        break
      case 'closeSession':
        this.#closeSession(message.sessionId)
        break
      case 'revalidate': {
        const { sessionId, password, timeout } = message
        const known = this.#sessions.get(sessionId)
        const isOwner = known !== undefined && Buffer.compare(known.password, password) === 0
        if (isOwner) {
          this.touch(sessionId, timeout)
          this.#homes.set(sessionId, member)
        }
        const session = isOwner ? { sessionId, password, timeout } : undefined
        this.#voice.tell(member, { kind: 'revalidated', request, session })
        break
      }
      case 'sync':
        this.#voice.tell(member, { kind: 'synced', request })
        break
    }
    this.#origin = undefined
  }

  #write(message: ToLeader & { kind: 'write' }): void {
    const { sessionId, identities, type, body, request } = message
    // The session ended while the request was under way: its ephemeral nodes would never be deleted.
    if (this.#sessions.get(sessionId) === undefined) {
      this.#apply(sessionId, { kind: 'none' })
      this.#announce({ request, error: serverError.SESSION_EXPIRED, body: new Uint8Array(0) })
      return
    }
    const requester = { sessionId, identities }
    const outcome = this.#writes.carryOut(type, requester, new JuteReader(body))
    if (outcome === undefined) throw new Error(`a request of type ${type} is not a write`)
    outcome.writeBody?.(this.#writer)
    this.#announce({ request, error: outcome.error, body: this.#writer.take() })
  }

  #createSession(timeout: number, member: number): void {
    const sessionId = nextSessionId(this.state.lastSessionId, this.#clock.now())
    const password = this.#random.bytes(passwordLength)
    this.#commit(sessionId, { kind: 'createSession', timeout, password })
    this.#sessions.add({ sessionId, password, timeout }, this.#clock.monotonic())
    this.#homes.set(sessionId, member)
  }

  #closeSession(sessionId: bigint): void {
    const ephemerals = [...this.state.tree.ephemeralsOf(sessionId)]
    this.#commit(sessionId, { kind: 'closeSession', ephemerals })
    const session = this.#sessions.get(sessionId)
    if (session !== undefined) this.#sessions.remove(session)
    this.#homes.delete(sessionId)
  }

  /** Commits a transaction without a result. */
  #commit(sessionId: bigint, body: TransactionBody): void {
    this.#apply(sessionId, body)
    this.#announce({ request: this.#origin?.request ?? 0, error: 0, body: new Uint8Array(0) })
  }

  #apply(sessionId: bigint, body: TransactionBody, applied?: (change: NodeChange) => void): void {
    const zxid = this.state.lastZxid + 1
    this.#committed = { zxid, time: Math.floor(this.#clock.now()), sessionId, body }
    this.state.applyTransaction(this.#committed, applied)
  }

  #announce(outcome: Outcome): void {
    if (this.#committed === undefined) throw new Error('nothing was committed')
    const origin = this.#origin
    this.#voice.commit(this.#committed, origin?.member, origin && outcome)
    this.#committed = undefined
  }
}
