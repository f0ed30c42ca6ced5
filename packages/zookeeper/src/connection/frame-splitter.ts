import { ZooKeeperError } from '../errors.ts'
import { JuteReader } from '../jute/reader.ts'

/**
 * Splits a stream of chunks into length-prefixed frames. Frames within a chunk are read in place; a frame
 * that spans chunks is copied once, when its last byte has arrived.
 */
export class FrameSplitter {
  readonly #maxFrameBytes: number
  #held: Uint8Array[] = []
  #heldBytes = 0
  /**
   * The number of buffered bytes needed for the next step: a length prefix, or a whole frame with its prefix.
   */
  #needed = 4

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /**
   * Passes every frame that the chunk completes to `frame`, until `frame` returns false. Throws on an
   * impossible length: nothing after it can be trusted.
   */
  push(chunk: Uint8Array, frame: (reader: JuteReader) => boolean): void {
    if (this.#heldBytes + chunk.length < this.#needed) {
      this.#hold(chunk)
      return
    }
    const bytes = this.#join(chunk)
    const reader = new JuteReader(bytes)
    let at = 0
    for (;;) {
      if (bytes.length - at < 4) {
        this.#needed = 4
        break
      }
      reader.frame(at, at + 4)
      const length = reader.int()
      if (length < 0) {
        throw new ZooKeeperError('ZK_MALFORMED_FRAME', `the server sent a frame of ${length} bytes`)
      }
      if (length > this.#maxFrameBytes) {
        throw new ZooKeeperError(
          'ZK_FRAME_TOO_LARGE',
          `the server sent a frame of ${length} bytes; maxFrameBytes allows ${this.#maxFrameBytes}`,
        )
      }
      const end = at + 4 + length
      if (end > bytes.length) {
        this.#needed = 4 + length
        break
      }
      reader.frame(at + 4, end)
      at = end
      if (!frame(reader)) return
    }
    if (at < bytes.length) this.#hold(bytes.subarray(at))
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
  }

  #join(chunk: Uint8Array): Uint8Array {
    if (this.#heldBytes === 0) return chunk
    this.#held.push(chunk)
    const joined = Buffer.concat(this.#held, this.#heldBytes + chunk.length)
    this.#held = []
    this.#heldBytes = 0
    return joined
  }
}
