import { MalformedRecordError } from './malformed.ts'

/**
 * Reads jute values from a chunk in place. Checks every length against the available bytes before it
 * allocates, so that a hostile peer can neither cause a read past a frame nor a large allocation.
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

  /** Limits the reader to one frame of its chunk. */
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

  /** Returns a copy: a view would keep the whole chunk alive as long as the caller holds it. */
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

  /** Reads a string that must not be null. */
  text(): string {
    const value = this.string()
    if (value === null) throw new MalformedRecordError('a string is missing where one is required')
    return value
  }

  /** Reads a vector; a null vector (length -1) becomes an empty one, as in Java's records. */
  vector<T>(element: (reader: this) => T): T[] {
    const count = this.int()
    if (count === -1) return []
    // The smallest element is an int: rejects a count that cannot fit before the loop starts.
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
