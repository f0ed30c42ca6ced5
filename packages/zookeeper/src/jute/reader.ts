import { MalformedRecordError } from './malformed.ts'

/**
 * Reads jute values out of a chunk in place. Every length is checked against what is there before
 * anything is allocated, so that a hostile peer can neither read past a frame nor ask for memory.
 */
export class JuteReader {
  readonly #bytes: Buffer
  readonly #view: DataView
  #position: number
  #end: number

  constructor(bytes: Uint8Array, start: number = 0, end: number = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#position = start
    this.#end = end
  }

  /** Narrows the reader to one frame of its chunk. */
  frame(start: number, end: number): void {
    this.#position = start
    this.#end = end
  }

  get remaining(): number {
    return this.#end - this.#position
  }

  int(): number {
    const at = this.#advance(4)
    return this.#view.getInt32(at)
  }

  long(): bigint {
    const at = this.#advance(8)
    return this.#view.getBigInt64(at)
  }

  bool(): boolean {
    const at = this.#advance(1)
    return this.#bytes[at] !== 0
  }

  /** A copy: a view would keep the whole chunk it came in alive for as long as the caller keeps it. */
  buffer(): Buffer | null {
    const length = this.#length()
    if (length === -1) return null
    const at = this.#advance(length)
    const copy = Buffer.allocUnsafe(length)
    this.#bytes.copy(copy, 0, at, at + length)
    return copy
  }

  string(): string | null {
    const length = this.#length()
    if (length === -1) return null
    const at = this.#advance(length)
    return this.#bytes.toString('utf8', at, at + length)
  }

  /** A string that the protocol never leaves out. */
  text(): string {
    const value = this.string()
    if (value === null) throw new MalformedRecordError('a string is missing where one is required')
    return value
  }

  /** A vector; a null vector (length -1) reads as an empty one, as Java's records treat it. */
  vector<T>(element: (reader: this) => T): T[] {
    const count = this.int()
    if (count === -1) return []
    // The smallest element is an int: a count that could not fit is refused before the loop starts.
    if (count < 0 || count > this.remaining >>> 2) {
      throw new MalformedRecordError(`a vector of ${count} elements in ${this.remaining} bytes`)
    }
    const elements: T[] = []
    for (let i = 0; i < count; i++) elements.push(element(this))
    return elements
  }

  #length(): number {
    const length = this.int()
    if (length < -1) throw new MalformedRecordError(`a length of ${length}`)
    return length
  }

  #advance(size: number): number {
    const at = this.#position
    if (size > this.#end - at) {
      throw new MalformedRecordError(`${size} bytes expected, ${this.#end - at} are left`)
    }
    this.#position = at + size
    return at
  }
}
