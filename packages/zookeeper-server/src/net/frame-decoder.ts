import { JuteReader } from '@elasticjob/zookeeper/protocol'

/** Handles one frame; returns whether to continue. */
export type FrameHandler = (frame: JuteReader) => boolean

const prefixLength = 4
const smallestBuffer = 4096

/**
 * Splits a stream of bytes into frames. Frames are read in place from their chunk; a frame that spans chunks
 * is collected in a buffer that grows with the bytes received, so that an announced length costs no memory.
 */
export class FrameDecoder {
  readonly #maxLength: number
  /** The beginning of an incomplete frame, including its length prefix. */
  #partial: Buffer = Buffer.alloc(0)
  #filled = 0

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** The first impossible frame length, if any. */
  badLength: number | undefined

  /** Passes each complete frame to the handler, until the handler stops or a length is impossible. */
  push(bytes: Uint8Array, handler: FrameHandler): void {
    const chunk = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let position = 0
    if (this.#filled > 0) {
      position = this.#complete(chunk, handler)
      if (position === -1) return
    }
    const reader = new JuteReader(chunk)
    while (chunk.length - position >= prefixLength) {
      const length = chunk.readInt32BE(position)
      if (!this.#isPossible(length)) return
      const start = position + prefixLength
      const end = start + length
      if (end > chunk.length) break
      reader.frame(start, end)
      position = end
      if (!handler(reader)) return
    }
    if (position < chunk.length) this.#keep(chunk, position, chunk.length)
  }

  /** Completes the pending frame. Returns where the next frame begins, or -1 if the chunk is used up. */
  #complete(chunk: Buffer, handler: FrameHandler): number {
    let position = 0
    if (this.#filled < prefixLength) {
      position = Math.min(prefixLength - this.#filled, chunk.length)
      this.#keep(chunk, 0, position)
      if (this.#filled < prefixLength) return -1
    }
    const length = this.#partial.readInt32BE(0)
    if (!this.#isPossible(length)) return -1
    const end = prefixLength + length
    const next = Math.min(position + end - this.#filled, chunk.length)
    this.#keep(chunk, position, next)
    if (this.#filled < end) return -1
    const frame = this.#partial
    this.#partial = Buffer.alloc(0)
    this.#filled = 0
    return handler(new JuteReader(frame, prefixLength, end)) ? next : -1
  }

  #isPossible(length: number): boolean {
    if (length >= 0 && length <= this.#maxLength) return true
    this.badLength = length
    return false
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const needed = this.#filled + end - start
    if (needed > this.#partial.length) {
      const grown = Buffer.allocUnsafeSlow(
        Math.max(needed, this.#partial.length * 2, smallestBuffer),
      )
      this.#partial.copy(grown, 0, 0, this.#filled)
      this.#partial = grown
    }
    chunk.copy(this.#partial, this.#filled, start, end)
    this.#filled = needed
  }
}
