/**
 * What the wire shows of the workers' sessions, seen by the proxies in between: when each was proven by a
 * write that was answered, and what was written about runs. From this, and not from what a client
 * believes, follows how long its lease was valid.
 */
import { opCode, serverError } from '@elasticjob/zookeeper/protocol'
import type { TcpProxy } from '../../zookeeper/harness/tcp-proxy.ts'
import { machineTime } from './machine-time.ts'

/** A span of time; the end is not in it. */
export type Span = readonly [begin: number, end: number]

/** What was written about a run. Times are the registry's, in milliseconds since 1970. */
export interface WrittenRun {
  /** When it was claimed. */
  readonly begin: number
  /** When it ended; undefined while nothing was written about that. */
  readonly end: number | undefined
}

export interface WireLogOptions {
  readonly namespace: string
  /** How long after it was sent an answered write proves a session, for its timeout. */
  readonly leaseOf: (sessionTimeout: number) => number
}

/** One connection, from its handshake on. */
interface Talk {
  readonly sent: Map<number, number>
  handshakeSent: number
  isNew: boolean
  session: { readonly id: bigint; readonly timeout: number } | undefined
}

const writes: ReadonlySet<number> = new Set([
  opCode.create,
  opCode.create2,
  opCode.delete,
  opCode.setData,
  opCode.multi,
])

/** Answers that say nothing about the session's life, or that it is over. */
const noProof: ReadonlySet<number> = new Set([
  serverError.SESSION_EXPIRED,
  serverError.SESSION_MOVED,
])

/** The begin of a shard's state, as it stands in the request that sets it. */
const stateInRequest =
  /\{"state":"([a-z]+)","run":"([^"]*)","instance":"([^"]*)"[^{}]*?"begin":(\d+),"end":(\d+)/g

export class WireLog {
  readonly #options: WireLogOptions
  readonly #leases = new Map<bigint, Span[]>()
  readonly #sessions = new Map<string, bigint>()
  readonly #runs = new Map<string, WrittenRun>()

  constructor(options: WireLogOptions) {
    this.#options = options
  }

  /** Takes down what passes a framed proxy. */
  attach(proxy: TcpProxy): void {
    const talks = new Map<number, Talk>()
    const talkOf = (connection: number): Talk => {
      const talk = talks.get(connection) ?? newTalk()
      talks.set(connection, talk)
      return talk
    }
    proxy.on('connection:closed', ({ connection }) => talks.delete(connection))
    proxy.onClientFrame = ({ connection, index, payload }) => {
      this.sent(talkOf(connection), index, payload, machineTime())
      return 'pass'
    }
    proxy.onServerFrame = ({ connection, index, payload }) => {
      this.answered(talkOf(connection), index, payload, machineTime())
      return 'pass'
    }
  }

  /** When the session under which an instance was known was proven to live. */
  leasesOf(instance: string): readonly Span[] {
    const session = this.#sessions.get(instance)
    return session === undefined ? [] : (this.#leases.get(session) ?? [])
  }

  run(run: string): WrittenRun | undefined {
    return this.#runs.get(run)
  }

  /** A client sends a frame; the first is its handshake. */
  sent(talk: Talk, index: number, frame: Buffer, at: number): void {
    if (index === 0) {
      talk.handshakeSent = at
      talk.isNew = frame.readBigInt64BE(16) === 0n
      return
    }
    const type = frame.readInt32BE(4)
    if (!writes.has(type)) return
    talk.sent.set(frame.readInt32BE(0), at)
    if (type === opCode.multi) this.#readStates(talk, frame.toString('latin1'))
    else if (type === opCode.create || type === opCode.create2) this.#readName(talk, frame)
  }

  /** A server answers. */
  answered(talk: Talk, index: number, frame: Buffer, at: number): void {
    if (index === 0) {
      talk.session = { timeout: frame.readInt32BE(4), id: frame.readBigInt64BE(8) }
      if (talk.isNew) this.#proven(talk.session, talk.handshakeSent, at)
      return
    }
    const xid = frame.readInt32BE(0)
    const sentAt = talk.sent.get(xid)
    if (sentAt === undefined || talk.session === undefined) return
    talk.sent.delete(xid)
    if (!noProof.has(frame.readInt32BE(12))) this.#proven(talk.session, sentAt, at)
  }

  /** The node by which a session says under which name it lives. */
  #readName({ session }: Talk, frame: Buffer): void {
    const path = frame.toString('utf8', 12, 12 + frame.readInt32BE(8))
    const folder = `/${this.#options.namespace}.state/alive/`
    if (session !== undefined && path.startsWith(folder)) {
      this.#sessions.set(path.slice(folder.length), session.id)
    }
  }

  #readStates({ session }: Talk, text: string): void {
    for (const match of text.matchAll(stateInRequest)) {
      const [, state, run = '', instance = '', begin, ended] = match
      // What others write about a run, its own instance has not said.
      if (session === undefined || this.#sessions.get(instance) !== session.id) continue
      // What was held back on a way that was cut comes later than what was sent after it.
      const known = this.#runs.get(run)?.end ?? 0
      const end = Math.max(known, state === 'running' ? 0 : Number(ended))
      this.#runs.set(run, { begin: Number(begin), end: end === 0 ? undefined : end })
    }
  }

  #proven(session: NonNullable<Talk['session']>, sentAt: number, now: number): void {
    const end = sentAt + this.#options.leaseOf(session.timeout)
    if (end <= now) return
    const spans = this.#leases.get(session.id) ?? []
    this.#leases.set(session.id, spans)
    const last = spans.at(-1)
    if (last === undefined || last[1] < now) spans.push([now, end])
    else spans.splice(-1, 1, [last[0], Math.max(last[1], end)])
  }
}

export function newTalk(): Talk {
  return { sent: new Map(), handshakeSent: 0, isNew: false, session: undefined }
}
