import type { File } from './directory.ts'
import { frameHeaderSize, isIntact, payloadLength } from './frame.ts'

/** What there is where a frame should begin. */
export type Reading =
  /** Bytes that are valid until the next reading. */
  | { readonly kind: 'frame'; readonly payload: Buffer }
  | { readonly kind: 'end' }
  /** The file goes on, but not with a frame as it was written. */
  | { readonly kind: 'damage'; readonly problem: string }

const windowSize = 1024 * 1024

/** Reads the frames of a file one after the other. */
export class FrameReader {
  readonly #file: File
  readonly #size: number
  readonly #seed: number
  #offset: number
  /** The part of the file that is in memory, and where it begins. */
  #window: Buffer = Buffer.alloc(0)
  #windowOffset = 0

  constructor(file: File, size: number, seed: number, offset: number) {
    this.#file = file
    this.#size = size
    this.#seed = seed
    this.#offset = offset
  }

  /** Where the next frame begins. Stays there when what is there is none. */
  get offset(): number {
    return this.#offset
  }

  /** The bytes that are left. */
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
   * Whether an intact frame begins anywhere behind the damage. `isLikely` looks at the first bytes
   * of what would be in it, so that not every place needs a checksum.
   */
  async findsFrameBehind(
    prefixLength: number,
    isLikely: (prefix: Buffer) => boolean,
  ): Promise<boolean> {
    const shortest = frameHeaderSize + prefixLength
    for (let offset = this.#offset + 1; offset + shortest <= this.#size;) {
      const bytes = await this.#bytes(offset, Math.min(windowSize, this.#size - offset))
      const places = bytes.length - shortest + 1
      for (let at = 0; at < places; at++) {
        const length = payloadLength(bytes, at, this.#size - offset - at)
        if (length === undefined || length < prefixLength) continue
        if (!isLikely(bytes.subarray(at + frameHeaderSize, at + shortest))) continue
        if (typeof (await this.#frameAt(offset + at)) !== 'string') return true
      }
      offset += places
    }
    return false
  }

  /** What is in the frame at this offset, or what is wrong with it. */
  async #frameAt(offset: number): Promise<Buffer | string> {
    const available = this.#size - offset
    if (available < frameHeaderSize) return `${available} bytes are no frame`
    const length = payloadLength(await this.#bytes(offset, frameHeaderSize), 0, available)
    if (length === undefined) return 'a length that cannot be'
    const frame = await this.#bytes(offset, frameHeaderSize + length)
    const payload = frame.subarray(frameHeaderSize)
    return isIntact(frame, payload, this.#seed, offset) ? payload : 'a checksum that does not match'
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const start = offset - this.#windowOffset
    if (start >= 0 && start + length <= this.#window.length) {
      return this.#window.subarray(start, start + length)
    }
    const wanted = Math.max(length, Math.min(windowSize, this.#size - offset))
    const window = Buffer.allocUnsafe(wanted)
    const filled = await this.#file.read(window, offset)
    if (filled < wanted) throw new Error(`the file became shorter while it was read`)
    this.#window = window
    this.#windowOffset = offset
    return window.subarray(0, length)
  }
}
