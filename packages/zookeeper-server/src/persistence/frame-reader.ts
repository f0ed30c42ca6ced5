import type { File } from './directory.ts'
import { frameHeaderSize, isIntact, payloadLength, writtenOffset } from './frame.ts'

/** The result of reading a frame. */
export type Reading =
  /** The payload is valid until the next read. */
  | { readonly kind: 'frame'; readonly payload: Buffer }
  | { readonly kind: 'end' }
  /** The file continues, but not with an intact frame. */
  | { readonly kind: 'damage'; readonly problem: string }

const windowSize = 1024 * 1024

/** Reads the frames of a file in order. */
export class FrameReader {
  readonly #file: File
  readonly #size: number
  readonly #seed: number
  #offset: number
  /** The part of the file in memory, and its offset. */
  #window: Buffer = Buffer.alloc(0)
  #windowOffset = 0

  constructor(file: File, size: number, seed: number, offset: number) {
    this.#file = file
    this.#size = size
    this.#seed = seed
    this.#offset = offset
  }

  /** Where the next frame begins. Does not advance past damage. */
  get offset(): number {
    return this.#offset
  }

  get remaining(): number {
    return this.#size - this.#offset
  }

  async next(): Promise<Reading> {
    if (this.remaining === 0) return { kind: 'end' }
    const payload = await this.#frameAt(this.#offset)
    if (typeof payload === 'string') return { kind: 'damage', problem: payload }
    this.#offset += frameHeaderSize + payload.length
    return { kind: 'frame', payload }
  }

  /**
   * Searches the rest of the file for frames, including frames that inserted or removed bytes have moved:
   * `accept` receives the payload and the offset that it was written for, and decides whether it is a frame.
   * `isLikely` checks the first bytes of a payload, so that not every position needs a checksum.
   */
  async scan(
    prefixLength: number,
    isLikely: (prefix: Buffer) => boolean,
    accept: (payload: Buffer, writtenOffset: number) => boolean,
  ): Promise<void> {
    const shortest = frameHeaderSize + prefixLength
    for (let offset = this.#offset; offset + shortest <= this.#size;) {
      const bytes = await this.#bytes(offset, Math.min(windowSize, this.#size - offset))
      const places = bytes.length - shortest + 1
      let at = 0
      while (at < places) {
        const length = payloadLength(bytes, at, this.#size - offset - at)
        const isCandidate =
          length !== undefined &&
          length >= prefixLength &&
          isLikely(bytes.subarray(at + frameHeaderSize, at + shortest))
        if (!isCandidate) {
          at++
          continue
        }
        const frame = await this.#bytes(offset + at, frameHeaderSize + length)
        const payload = frame.subarray(frameHeaderSize)
        at += accept(payload, writtenOffset(frame, payload, this.#seed)) ? frame.length : 1
      }
      offset += at
    }
  }

  /** Returns the payload of the frame at this offset, or what is wrong with it. */
  async #frameAt(offset: number): Promise<Buffer | string> {
    const available = this.#size - offset
    if (available < frameHeaderSize) return `${available} bytes are too few for a record`
    const length = payloadLength(await this.#bytes(offset, frameHeaderSize), 0, available)
    if (length === undefined) return 'the length is impossible'
    const frame = await this.#bytes(offset, frameHeaderSize + length)
    const payload = frame.subarray(frameHeaderSize)
    return isIntact(frame, payload, this.#seed, offset) ? payload : 'the checksum does not match'
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const start = offset - this.#windowOffset
    if (start >= 0 && start + length <= this.#window.length) {
      return this.#window.subarray(start, start + length)
    }
    const wanted = Math.max(length, Math.min(windowSize, this.#size - offset))
    const window = Buffer.allocUnsafe(wanted)
    const filled = await this.#file.read(window, offset)
    if (filled < wanted) throw new Error('the file was truncated while it was read')
    this.#window = window
    this.#windowOffset = offset
    return window.subarray(0, length)
  }
}
