import type { ByteStreamHandler, Transport } from '@elasticjob/zookeeper'
import { opCode, reservedXid } from '@elasticjob/zookeeper/protocol'

/** One request as it went over the wire. */
export interface TappedRequest {
  readonly operation: string
  readonly bytes: number
}

const names = new Map<number, string>(Object.entries(opCode).map(([name, code]) => [code, name]))

/** A transport that another one carries, and that knows what went through it. */
export class WireTap {
  readonly transport: Transport
  /** Everything since the last `reset()`, the handshakes aside. */
  requests: TappedRequest[] = []
  /** How many events of watches have come since then. */
  events = 0

  constructor(transactionRunner: Transport) {
    this.transport = {
      resolve: (host) => transactionRunner.resolve(host),
      connect: (endpoint, handler) => {
        const outgoing = new Frames((frame) => this.#sent(frame))
        const incoming = new Frames((frame) => this.#received(frame))
        const stream = transactionRunner.connect(endpoint, tapped(handler, incoming))
        return {
          write: (bytes) => {
            outgoing.push(bytes)
            stream.write(bytes)
          },
          end: () => stream.end(),
          destroy: () => stream.destroy(),
        }
      },
    }
  }

  reset(): void {
    this.requests = []
    this.events = 0
  }

  /** How many requests there were of each kind. */
  get counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { operation } of this.requests) counts[operation] = (counts[operation] ?? 0) + 1
    return counts
  }

  #sent(frame: Buffer): void {
    const code = frame.readInt32BE(4)
    this.requests.push({ operation: names.get(code) ?? String(code), bytes: frame.length })
  }

  #received(frame: Buffer): void {
    if (frame.readInt32BE(0) === reservedXid.notification) this.events += 1
  }
}

function tapped(handler: ByteStreamHandler, frames: Frames): ByteStreamHandler {
  return {
    opened: () => handler.opened(),
    received: (chunk) => {
      frames.push(chunk)
      handler.received(chunk)
    },
    closed: (error) => handler.closed(error),
  }
}

/** Cuts one direction of a connection into its frames; the first of each is the handshake. */
class Frames {
  readonly #found: (frame: Buffer) => void
  #rest: Buffer = Buffer.alloc(0)
  #isOpen = false

  constructor(found: (frame: Buffer) => void) {
    this.#found = found
  }

  push(bytes: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    let start = 0
    while (this.#rest.length - start >= 4) {
      const end = start + 4 + this.#rest.readInt32BE(start)
      if (end > this.#rest.length) break
      if (this.#isOpen) this.#found(this.#rest.subarray(start + 4, end))
      this.#isOpen = true
      start = end
    }
    this.#rest = this.#rest.subarray(start)
  }
}
