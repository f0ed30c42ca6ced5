const slabSize = 64 * 1024

/** Strings up to this length are written byte by byte, which is faster than the call into C++. */
const shortString = 64

/**
 * Writes jute values and whole frames into one growing buffer. `take()` returns the bytes written since the
 * last `take()` and never writes to them again, so a socket may keep them.
 */
export class JuteWriter {
  #slab: Buffer = Buffer.allocUnsafeSlow(slabSize)
  #view: DataView = viewOf(this.#slab)
  #start = 0
  #position = 0

  /** The number of bytes written since the last `take()`. */
  get length(): number {
    return this.#position - this.#start
  }

  /** Starts a length-prefixed frame and returns its mark, for `endFrame` or `rollback`. */
  beginFrame(): number {
    const mark = this.length
    this.int(0)
    return mark
  }

  /** Fills in the length of the frame begun at `mark` and returns it (without the prefix). */
  endFrame(mark: number): number {
    const at = this.#start + mark
    const length = this.#position - at - 4
    this.#view.setInt32(at, length)
    return length
  }

  /** Discards everything written since `mark`. */
  rollback(mark: number): void {
    this.#position = this.#start + mark
  }

  int(value: number): void {
    const at = this.#reserve(4)
    this.#view.setInt32(at, value)
  }

  long(value: bigint): void {
    const at = this.#reserve(8)
    this.#view.setBigInt64(at, value)
  }

  bool(value: boolean): void {
    const at = this.#reserve(1)
    this.#slab[at] = value ? 1 : 0
  }

  buffer(value: Uint8Array | null): void {
    if (value === null) {
      this.int(-1)
      return
    }
    this.int(value.length)
    const at = this.#reserve(value.length)
    this.#slab.set(value, at)
  }

  string(value: string | null): void {
    if (value === null) {
      this.int(-1)
      return
    }
    const { length } = value
    const at = this.#reserve(4 + length * 3)
    let end = at + 4
    if (length <= shortString) {
      const slab = this.#slab
      let i = 0
      for (; i < length; i++) {
        const code = value.charCodeAt(i)
        if (code > 0x7f) break
        slab[end + i] = code
      }
      end += i < length ? slab.write(value, end, 'utf8') : length
    } else {
      end += this.#slab.write(value, end, 'utf8')
    }
    this.#view.setInt32(at, end - at - 4)
    this.#position = end
  }

  vector<T>(elements: readonly T[], element: (writer: this, value: T) => void): void {
    this.int(elements.length)
    for (const value of elements) element(this, value)
  }

  /** Returns the bytes written since the last call. */
  take(): Buffer {
    const taken = this.#slab.subarray(this.#start, this.#position)
    this.#start = this.#position
    return taken
  }

  #reserve(size: number): number {
    const at = this.#position
    if (at + size > this.#slab.length) return this.#grow(size)
    this.#position = at + size
    return at
  }

  #grow(size: number): number {
    const kept = this.#slab.subarray(this.#start, this.#position)
    // Leaves at least half a slab of room; otherwise a slab that `take()` has nearly used up would be moved
    // again at once.
    const room = Math.max(slabSize, (kept.length + size) * 2)
    this.#slab = Buffer.allocUnsafeSlow(room)
    this.#view = viewOf(this.#slab)
    this.#slab.set(kept, 0)
    this.#start = 0
    this.#position = kept.length + size
    return kept.length
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}
