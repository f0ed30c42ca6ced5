/**
 * ZooKeeper's framing: every message is preceded by its length as a 32-bit big-endian integer.
 * The harness has its own few lines of the protocol, so that a mistake in the client's codec
 * cannot hide behind the same mistake in its tests.
 */

/** One frame of the wire: the length and then the payload. */
export function encodeFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(4 + payload.length)
  frame.writeInt32BE(payload.length, 0)
  frame.set(payload, 4)
  return frame
}

/** Cuts a byte stream, in whatever pieces it arrives, into the payloads of its frames. */
export class FrameSplitter {
  #pending: Buffer = Buffer.alloc(0)

  push(chunk: Uint8Array): Buffer[] {
    this.#pending = Buffer.concat([this.#pending, chunk])
    const payloads: Buffer[] = []
    let start = 0
    while (this.#pending.length - start >= 4) {
      const end = start + 4 + this.#pending.readInt32BE(start)
      if (end < start + 4) throw new RangeError('a frame has a negative length')
      if (end > this.#pending.length) break
      payloads.push(this.#pending.subarray(start + 4, end))
      start = end
    }
    this.#pending = this.#pending.subarray(start)
    return payloads
  }
}
