import type { Directory, File } from './directory.ts'
import { publishFile } from './directory.ts'
import { encodeHeader, headerSize } from './file-header.ts'
import { completeFrame } from './frame.ts'
import { encodeSeal } from './log-record.ts'
import { logName } from './names.ts'

/** A log file that is open for writing. */
export class Segment {
  readonly #file: File
  readonly #seed: number
  #size: number

  private constructor(file: File, seed: number, size: number) {
    this.#file = file
    this.#seed = seed
    this.#size = size
  }

  /** Creates the file for the transactions from this one on. */
  static async create(
    directory: Directory,
    directoryId: bigint,
    firstZxid: number,
  ): Promise<Segment> {
    const { bytes } = encodeHeader({ kind: 'log', directoryId, zxid: firstZxid })
    await publishFile(directory, logName(firstZxid), (file) => file.write(bytes, 0))
    return Segment.open(directory, directoryId, firstZxid, headerSize)
  }

  /** Opens a file with this many intact bytes. */
  static async open(
    directory: Directory,
    directoryId: bigint,
    firstZxid: number,
    size: number,
  ): Promise<Segment> {
    const { seed } = encodeHeader({ kind: 'log', directoryId, zxid: firstZxid })
    return new Segment(await directory.open(logName(firstZxid), 'write'), seed, size)
  }

  async append(frame: Buffer): Promise<void> {
    completeFrame(frame, this.#seed, this.#size)
    await this.#file.write(frame, this.#size)
    this.#size += frame.length
  }

  sync(): Promise<void> {
    return this.#file.sync()
  }

  /** Marks that the log continues in another file, so that this one is not read as its end. */
  async seal(nextZxid: number): Promise<void> {
    await this.append(encodeSeal(nextZxid))
    await this.sync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
