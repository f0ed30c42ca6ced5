import type { NodeContent } from '../client.ts'
import { JuteReader } from '../jute/reader.ts'
import { readStat, type Stat, statSize } from '../jute/records.ts'

const pageSize = 1024 * 1024

interface Page {
  readonly bytes: Buffer
  readonly view: DataView
  used: number
  live: number
}

/** The zxids that distinguish two versions of a node: created, data changed, children changed. */
export interface Zxids {
  readonly czxid: bigint
  readonly mzxid: bigint
  readonly pzxid: bigint
}

/**
 * The stats and data of many nodes in a few large buffers. As separate objects, a node's stat and data cost
 * about 400 bytes of overhead; here they cost 72.
 */
export class PackedContent {
  readonly #pages: (Page | undefined)[] = []
  #current: number | undefined
  #liveBytes = 0
  #totalBytes = 0

  /** Whether more than half of the used space is garbage. */
  get isWasteful(): boolean {
    return this.#totalBytes > 4 * pageSize && this.#liveBytes * 2 < this.#totalBytes
  }

  /** Stores a copy of the content and returns its handle. */
  put(data: Uint8Array, stat: Stat): number {
    const size = 4 + statSize + data.length
    const index = this.#pageFor(size)
    const page = this.#pages[index] as Page
    const at = page.used
    page.used += size
    page.live += size
    this.#liveBytes += size
    page.view.setInt32(at, size)
    writeStatAt(page.view, at + 4, stat)
    page.bytes.set(data, at + 4 + statSize)
    return index * 2 ** 32 + at
  }

  get(handle: number): NodeContent {
    const { page, at, size } = this.#find(handle)
    const data = Buffer.allocUnsafe(size - 4 - statSize)
    page.bytes.copy(data, 0, at + 4 + statSize, at + size)
    return { data, stat: this.stat(handle) }
  }

  stat(handle: number): Stat {
    const { page, at } = this.#find(handle)
    return readStat(new JuteReader(page.bytes, at + 4, at + 4 + statSize))
  }

  zxids(handle: number): Zxids {
    const { page, at } = this.#find(handle)
    return {
      czxid: page.view.getBigInt64(at + 4),
      mzxid: page.view.getBigInt64(at + 12),
      pzxid: page.view.getBigInt64(at + 4 + statSize - 8),
    }
  }

  free(handle: number): void {
    const { page, index, size } = this.#find(handle)
    page.live -= size
    this.#liveBytes -= size
    if (page.live === 0 && index !== this.#current) {
      this.#pages[index] = undefined
      this.#totalBytes -= page.bytes.length
    }
  }

  #find(handle: number): { page: Page; index: number; at: number; size: number } {
    const index = Math.floor(handle / 2 ** 32)
    const at = handle % 2 ** 32
    const page = this.#pages[index] as Page
    return { page, index, at, size: page.view.getInt32(at) }
  }

  #pageFor(size: number): number {
    const current = this.#current === undefined ? undefined : this.#pages[this.#current]
    if (current !== undefined && current.bytes.length - current.used >= size) {
      return this.#current as number
    }
    const bytes = Buffer.allocUnsafeSlow(Math.max(pageSize, size))
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const free = this.#pages.indexOf(undefined)
    const index = free === -1 ? this.#pages.length : free
    if (current?.live === 0) {
      this.#pages[this.#current as number] = undefined
      this.#totalBytes -= current.bytes.length
    }
    this.#pages[index] = { bytes, view, used: 0, live: 0 }
    this.#totalBytes += bytes.length
    this.#current = index
    return index
  }
}

function writeStatAt(view: DataView, at: number, stat: Stat): void {
  view.setBigInt64(at, stat.czxid)
  view.setBigInt64(at + 8, stat.mzxid)
  view.setBigInt64(at + 16, stat.ctime)
  view.setBigInt64(at + 24, stat.mtime)
  view.setInt32(at + 32, stat.version)
  view.setInt32(at + 36, stat.cversion)
  view.setInt32(at + 40, stat.aversion)
  view.setBigInt64(at + 44, stat.ephemeralOwner)
  view.setInt32(at + 52, stat.dataLength)
  view.setInt32(at + 56, stat.numChildren)
  view.setBigInt64(at + 60, stat.pzxid)
}
