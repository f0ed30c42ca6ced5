/**
 * What the wire shows of sessions: when each was proven by a write that was answered, and what was sent
 * before it. From this alone, not from what the client believes, follows how long its lease was valid.
 */
import type { ByteStream, ByteStreamHandler, Clock } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'

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

const tickTime = 2000
const abortTime = 1000

/**
 * Until when a write proves its session: timeout - (tickTime + timeout / 6 + 0.1 % of the timeout +
 * abortTime) from its sending, and no longer than the last packet a tick before it allows: of nothing
 * later can the ensemble's leader have heard.
 */
function leaseEnd(timeout: number, sentAt: number, heardOf: number): number {
  const reach = timeout - timeout / 1000 - abortTime
  return Math.min(sentAt + reach - tickTime - timeout / 6, heardOf + reach)
}

/** The sessions of one process. */
export class SessionLog {
  readonly leases: Map<bigint, Span[]>
  readonly #clock: Clock
  readonly #ended: ReadonlySet<bigint>
  /** The session that was last seen to be connected. */
  current: bigint | undefined
  #loseReply = false

  /** `ended`: sessions that were ended by force; answers that are still on their way prove nothing. */
  constructor(clock: Clock, leases: Map<bigint, Span[]>, ended: ReadonlySet<bigint>) {
    this.#clock = clock
    this.leases = leases
    this.#ended = ended
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
      const at = sent.get(frame.readInt32BE(0))
      if (at === undefined) return
      sent.delete(frame.readInt32BE(0))
      if (this.#loseReply) {
        this.#loseReply = false
        isLost = true
      } else {
        const heardOf = packets.findLast((time) => time <= at - tickTime) ?? handshakeSent
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

  #proven(
    { id, timeout }: { readonly id: bigint; readonly timeout: number },
    sentAt: number,
    heardOf: number,
  ): void {
    if (this.#ended.has(id)) return
    const now = this.#clock.monotonic()
    const end = leaseEnd(timeout, sentAt, heardOf)
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
