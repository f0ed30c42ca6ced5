/**
 * What the wire shows of sessions: when each was proven by a write that was answered, and what was sent
 * before it. From this alone, not from what the client believes, follows how long its lease was valid.
 */
import type { ByteStream, ByteStreamHandler, Clock } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'

import type { Heard } from './history.ts'

/** A span of time; the end is not in it. */
export type Span = [begin: number, end: number]

const writes: ReadonlySet<number> = new Set([
  opCode.create,
  opCode.create2,
  opCode.createContainer,
  opCode.createTtl,
  opCode.delete,
  opCode.setData,
  opCode.setAcl,
  opCode.multi,
])

const abortTime = 1000

/**
 * Until when a write proves its session: timeout - (tickTime + timeout / 6 + 0.1 % of the timeout +
 * abortTime) from its sending, and no longer than the last packet a tick before it allows: of nothing
 * later can the ensemble's leader have heard.
 */
function leaseEnd(timeout: number, tickTime: number, sentAt: number, heardOf: number): number {
  const reach = timeout - timeout / 1000 - abortTime
  return Math.min(sentAt + reach - tickTime - timeout / 6, heardOf + reach)
}

/** What the logs of all processes have in common. */
export interface SharedLog {
  readonly leases: Map<bigint, Span[]>
  /** Sessions that were ended by force; answers that are still on their way prove nothing. */
  readonly ended: ReadonlyMap<bigint, unknown>
  readonly orderOf: (zxid: number) => number
  /** When transactions were sent whose answer has come, by their order. */
  readonly sentAt: Map<number, number>
  readonly tickTime: number
}

/** The sessions of one process. */
export class SessionLog {
  readonly leases: Map<bigint, Span[]>
  readonly #clock: Clock
  readonly #ended: ReadonlyMap<bigint, unknown>
  /** The session that was last seen to be connected. */
  current: bigint | undefined
  #loseReply = false
  /** What it has seen of the registry, and when. */
  readonly heard: Heard[] = []
  readonly #orderOf: (zxid: number) => number
  readonly #tickTime: number
  readonly #sentAt: Map<number, number>

  constructor(clock: Clock, { leases, ended, orderOf, sentAt, tickTime }: SharedLog) {
    this.#clock = clock
    this.leases = leases
    this.#ended = ended
    this.#orderOf = orderOf
    this.#sentAt = sentAt
    this.#tickTime = tickTime
  }

  /** The next answer to a write is thrown away, and its connection with it. */
  loseNextReply(): void {
    this.#loseReply = true
  }

  tap(handler: ByteStreamHandler): {
    handler: ByteStreamHandler
    over(stream: ByteStream): ByteStream
  } {
    const sent = new Map<number, number>()
    const packets: number[] = []
    let handshakeSent = 0
    let isNew = false
    let session: { id: bigint; timeout: number } | undefined
    let isFirst = true
    let inner: ByteStream | undefined
    let isLost = false
    const toServer = frames((frame) => {
      if (isFirst) {
        isFirst = false
        handshakeSent = this.#clock.monotonic()
        packets.push(handshakeSent)
        isNew = frame.readBigInt64BE(16) === 0n
        return
      }
      packets.push(this.#clock.monotonic())
      if (writes.has(frame.readInt32BE(4))) {
        sent.set(frame.readInt32BE(0), this.#clock.monotonic())
      }
    })
    const toClient = frames((frame) => {
      if (session === undefined) {
        session = { timeout: frame.readInt32BE(4), id: frame.readBigInt64BE(8) }
        this.current = session.id
        if (isNew) this.#proven(session, handshakeSent, handshakeSent)
        return
      }
      const xid = frame.readInt32BE(0)
      const at = sent.get(xid)
      if (at === undefined) {
        this.#hear(frame)
        return
      }
      sent.delete(xid)
      if (this.#loseReply) {
        this.#loseReply = false
        isLost = true
      } else {
        this.#sentAt.set(this.#hear(frame), at)
        const heardOf = packets.findLast((time) => time <= at - this.#tickTime) ?? handshakeSent
        this.#proven(session, at, heardOf)
      }
    })
    return {
      handler: {
        opened: () => handler.opened(),
        received: (chunk) => {
          if (isLost) return
          toClient(chunk)
          if (!isLost) return handler.received(chunk)
          inner?.destroy()
          handler.closed(new Error('the reply was lost'))
        },
        closed: (error) => {
          if (!isLost) handler.closed(error)
        },
      },
      over(stream) {
        inner = stream
        return {
          write(bytes) {
            toServer(bytes)
            stream.write(bytes)
          },
          end: () => stream.end(),
          destroy: () => stream.destroy(),
        }
      },
    }
  }

  /** An answer shows the registry as it was after that transaction, with all notifications before it. */
  #hear(frame: Buffer): number {
    const order = this.#orderOf(Number(frame.readBigInt64BE(4)))
    if (order > (this.heard.at(-1)?.[1] ?? 0)) this.heard.push([this.#clock.monotonic(), order])
    return order
  }

  #proven(
    { id, timeout }: { readonly id: bigint; readonly timeout: number },
    sentAt: number,
    heardOf: number,
  ): void {
    if (this.#ended.has(id)) return
    const now = this.#clock.monotonic()
    const end = leaseEnd(timeout, this.#tickTime, sentAt, heardOf)
    if (end <= now) return
    const spans = this.leases.get(id) ?? []
    this.leases.set(id, spans)
    const last = spans.at(-1)
    // What is proven now was so all along, though the answer found its process asleep.
    if (last !== undefined && last[1] >= sentAt) last[1] = Math.max(last[1], end)
    else spans.push([now, end])
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Cuts a stream of bytes into frames. */
function frames(take: (frame: Buffer) => void): (chunk: Uint8Array) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    // Not copied: what was sent is never written again.
    rest = rest.length === 0 ? viewOf(chunk) : Buffer.concat([rest, chunk])
    while (rest.length >= 4) {
      const length = rest.readInt32BE(0)
      if (rest.length < 4 + length) return
      take(rest.subarray(4, 4 + length))
      rest = rest.subarray(4 + length)
    }
  }
}
