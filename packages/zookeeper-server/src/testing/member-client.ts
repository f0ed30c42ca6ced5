import type { ServerStream, ServerStreamHandler } from '../net/server-stream.ts'
import type { Notifications } from '../notifications.ts'
import { Peer, type PeerLink } from '../peer.ts'

const prefixLength = 4

/**
 * A client of an ensemble's member. Its requests are carried out in order: while one waits for the leader,
 * all later ones wait as well, including pings.
 */
export class MemberClient implements PeerLink, ServerStreamHandler {
  readonly peer: Peer
  /** Whether its requests wait for the leader. */
  isWaiting = false
  readonly #stream: ServerStream
  readonly #carryOut: (client: MemberClient, frame: Buffer) => void
  readonly #onHeard: (client: MemberClient) => void
  readonly #onClosed: (client: MemberClient) => void
  #received: Buffer = Buffer.alloc(0)
  #isOver = false

  constructor(
    stream: ServerStream,
    address: string,
    notifications: Notifications,
    hooks: {
      readonly carryOut: (client: MemberClient, frame: Buffer) => void
      readonly onHeard: (client: MemberClient) => void
      readonly onClosed: (client: MemberClient) => void
    },
  ) {
    this.#stream = stream
    this.#carryOut = hooks.carryOut
    this.#onHeard = hooks.onHeard
    this.#onClosed = hooks.onClosed
    this.peer = new Peer(this, address, notifications)
  }

  received(chunk: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, chunk])
    this.#onHeard(this)
    this.goOn()
  }

  /** Carries out received requests until one has to wait. */
  goOn(): void {
    while (!this.isWaiting && !this.#isOver && !this.peer.isClosed) {
      const frame = this.#nextFrame()
      if (frame === undefined) return
      this.#carryOut(this, frame)
    }
  }

  send(frame: Uint8Array): void {
    if (!this.#isOver) this.#stream.write(frame)
  }

  close(): void {
    if (!this.#isOver) this.#stream.end()
  }

  drop(): void {
    if (this.#isOver) return
    this.#stream.destroy()
    this.closed()
  }

  drained(): void {
    // The memory network never applies backpressure.
  }

  closed(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onClosed(this)
  }

  setSuspended(isSuspended: boolean): void {
    if (isSuspended) this.#stream.pause()
    else this.#stream.resume()
  }

  #nextFrame(): Buffer | undefined {
    if (this.#received.length < prefixLength) return undefined
    const end = prefixLength + this.#received.readInt32BE(0)
    if (this.#received.length < end) return undefined
    const frame = this.#received.subarray(prefixLength, end)
    this.#received = this.#received.subarray(end)
    return frame
  }
}
