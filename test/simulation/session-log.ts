/**
 * What the wire shows of sessions: when each was proven by a write that was answered. From this alone,
 * not from what the client believes, follows how long its lease was valid.
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

/** timeout - (tickTime + timeout / 6 + 0.1 % of the timeout + abortTime), with their defaults. */
function leaseOf(timeout: number): number {
  return timeout - (2000 + timeout / 6 + timeout / 1000 + 1000)
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
        isNew = frame.readBigInt64BE(16) === 0n
        return
      }
      if (writes.has(frame.readInt32BE(4))) {
        sent.set(frame.readInt32BE(0), this.#clock.monotonic())
      }
    })
    const toClient = frames((frame) => {
      if (session === undefined) {
        session = { timeout: frame.readInt32BE(4), id: frame.readBigInt64BE(8) }
        this.current = session.id
        if (isNew) this.#proven(session.id, session.timeout, handshakeSent)
        return
      }
      const at = sent.get(frame.readInt32BE(0))
      if (at === undefined) return
      sent.delete(frame.readInt32BE(0))
      if (this.#loseReply) {
        this.#loseReply = false
        isLost = true
      } else this.#proven(session.id, session.timeout, at)
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

  #proven(id: bigint, timeout: number, sentAt: number): void {
    if (this.#ended.has(id)) return
    const now = this.#clock.monotonic()
    const end = sentAt + leaseOf(timeout)
    if (end <= now) return
    const spans = this.leases.get(id) ?? []
    this.leases.set(id, spans)
    const last = spans.at(-1)
    if (last !== undefined && last[1] >= now) last[1] = Math.max(last[1], end)
    else spans.push([now, end])
  }
}

/** Cuts a stream of bytes into frames. */
function frames(take: (frame: Buffer) => void): (chunk: Uint8Array) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    while (rest.length >= 4) {
      const length = rest.readInt32BE(0)
      if (rest.length < 4 + length) return
      take(rest.subarray(4, 4 + length))
      rest = rest.subarray(4 + length)
    }
  }
}
