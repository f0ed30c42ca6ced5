import { DataDirectoryError } from '../errors.ts'
import type { Transaction } from '../transaction.ts'
import type { Directory } from './directory.ts'
import { headerSize, readHeader } from './file-header.ts'
import { FrameReader } from './frame-reader.ts'
import { countIntact, type IntactRecords, type LogDamage } from './log-damage.ts'
import { tryDecodeRecord } from './log-record.ts'
import { logName } from './names.ts'

/** Bytes at the end of the log that are not a record, with no intact record behind them. */
export interface TornTail {
  readonly file: string
  readonly offset: number
  readonly bytes: number
  readonly problem: string
  /** The last transaction before them. */
  readonly lastZxid: number
}

/** Where the log ends, and what must be cleaned up before it continues there. */
export interface LogEnd {
  /** The file to continue in. */
  readonly firstZxid: number
  /** The size of its intact part. */
  readonly size: number
  readonly lastZxid: number
  readonly directoryId: bigint
  readonly transactions: number
  readonly bytes: number
  readonly tornTail: TornTail | undefined
  /** Why the rest of the log cannot be read. */
  readonly damage: LogDamage | undefined
  /** An empty file at the end: its predecessor was not sealed yet. */
  readonly unusedFile: string | undefined
}

/** How far one file of the log can be read. */
interface SegmentEnd {
  readonly size: number
  readonly lastZxid: number
  readonly isSealed: boolean
  readonly tornTail: TornTail | undefined
  readonly damage: LogDamage | undefined
}

/**
 * Reads the log from a given file on and applies its transactions, up to its end or the first damage. Only
 * the end of the last file may be incomplete, and only in a way that a crash explains.
 */
export class LogReader {
  readonly #directory: Directory
  readonly #segments: readonly number[]
  readonly #apply: (transaction: Transaction) => void
  #directoryId: bigint | undefined
  #transactions = 0
  #bytes = 0

  /** `segments` are the first zxids of all log files, in ascending order. */
  constructor(
    directory: Directory,
    segments: readonly number[],
    directoryId: bigint | undefined,
    apply: (transaction: Transaction) => void,
  ) {
    this.#directory = directory
    this.#segments = segments
    this.#directoryId = directoryId
    this.#apply = apply
  }

  /** Reads from the file that begins with this transaction. */
  async read(startZxid: number): Promise<LogEnd> {
    let firstZxid = startZxid
    if (!this.#segments.includes(firstZxid)) throw missing(firstZxid)
    for (;;) {
      const end = await this.#readSegment(firstZxid)
      const next = this.#segments.find((zxid) => zxid > firstZxid)
      if (end.isSealed) {
        if (next !== end.lastZxid + 1) throw missing(end.lastZxid + 1)
        firstZxid = next
        continue
      }
      if (end.damage !== undefined)
        return this.#logEnd(firstZxid, await this.#withLater(firstZxid, end))
      if (next === undefined) return this.#logEnd(firstZxid, end)
      if (await this.#isUnused(end, next)) return this.#logEnd(firstZxid, end, logName(next))
      const file = logName(firstZxid)
      const problem =
        end.tornTail?.problem ??
        `the file ends with transaction ${end.lastZxid}, but ${logName(next)} does not continue it`
      const damage = { file, offset: end.size, problem, intact: nothingIntact }
      return this.#logEnd(firstZxid, await this.#withLater(firstZxid, { ...end, damage }))
    }
  }

  #logEnd(firstZxid: number, end: SegmentEnd, unusedFile?: string): LogEnd {
    return {
      ...end,
      firstZxid,
      unusedFile,
      tornTail: end.damage === undefined ? end.tornTail : undefined,
      directoryId: this.#directoryId as bigint,
      transactions: this.#transactions,
      bytes: this.#bytes,
    }
  }

  /** Adds the intact records of later files to those behind the damage. */
  async #withLater(firstZxid: number, end: SegmentEnd): Promise<SegmentEnd> {
    const damage = end.damage as LogDamage
    let { records, transactions } = damage.intact
    for (const zxid of this.#segments.filter((later) => later > firstZxid)) {
      const later = await this.#intactIn(zxid)
      records += later.records
      transactions += later.transactions
    }
    return { ...end, damage: { ...damage, intact: { records, transactions } } }
  }

  async #intactIn(firstZxid: number): Promise<IntactRecords> {
    const name = logName(firstZxid)
    const file = await this.#directory.open(name, 'read')
    try {
      const { seed } = await readHeader(file, name, 'log', firstZxid)
      return await countIntact(
        new FrameReader(file, await file.size(), seed, headerSize),
        firstZxid,
      )
    } catch (error) {
      if (error instanceof DataDirectoryError) return nothingIntact
      throw error
    } finally {
      await file.close()
    }
  }

  async #readSegment(firstZxid: number): Promise<SegmentEnd> {
    const name = logName(firstZxid)
    const file = await this.#directory.open(name, 'read')
    try {
      const { directoryId, seed } = await readHeader(file, name, 'log', firstZxid)
      this.#checkDirectory(directoryId, name)
      const reader = new FrameReader(file, await file.size(), seed, headerSize)
      const end = await this.#readRecords(reader, name, firstZxid)
      this.#bytes += end.size - headerSize
      return end
    } catch (error) {
      if (!isCorrupt(error)) throw error
      if (this.#directoryId === undefined) throw unknownDirectory(error)
      return damagedHeader(firstZxid, error)
    } finally {
      await file.close()
    }
  }

  async #readRecords(reader: FrameReader, name: string, firstZxid: number): Promise<SegmentEnd> {
    for (let nextZxid = firstZxid; ;) {
      const offset = reader.offset
      const reading = await reader.next()
      const lastZxid = nextZxid - 1
      const end = {
        size: offset,
        lastZxid,
        isSealed: false,
        tornTail: undefined,
        damage: undefined,
      }
      const damaged = async (problem: string): Promise<SegmentEnd> => {
        const intact = await countIntact(reader, nextZxid)
        return { ...end, damage: { file: name, offset, problem, intact } }
      }
      if (reading.kind === 'end') return end
      if (reading.kind === 'damage') {
        const { problem } = reading
        const withDamage = await damaged(problem)
        // A record is written only once all before it are durable: the damaged record was complete once.
        if ((withDamage.damage?.intact.records ?? 0) > 0) return withDamage
        const bytes = reader.remaining
        return { ...end, tornTail: { file: name, offset, bytes, problem, lastZxid } }
      }
      const record = tryDecodeRecord(reading.payload)
      // These have a correct checksum: a server wrote them like this.
      if (typeof record === 'string') return damaged(record)
      if (record.firstZxid !== nextZxid) {
        return damaged(`transaction ${record.firstZxid} is where transaction ${nextZxid} should be`)
      }
      if (record.transactions.length === 0) {
        if (reader.remaining > 0) return damaged('the file continues after its last record')
        return { ...end, size: reader.offset, isSealed: true }
      }
      for (const transaction of record.transactions) this.#apply(transaction)
      this.#transactions += record.transactions.length
      nextZxid += record.transactions.length
    }
  }

  /** Whether the file after an unsealed one was just begun when the server crashed. */
  async #isUnused(end: SegmentEnd, next: number): Promise<boolean> {
    const name = logName(next)
    const file = await this.#directory.open(name, 'read')
    try {
      const { directoryId } = await readHeader(file, name, 'log', next)
      this.#checkDirectory(directoryId, name)
      const isNext = next === end.lastZxid + 1 && next === this.#segments.at(-1)
      return isNext && (await file.size()) === headerSize
    } catch (error) {
      if (isCorrupt(error)) return false
      throw error
    } finally {
      await file.close()
    }
  }

  #checkDirectory(directoryId: bigint, file: string): void {
    this.#directoryId ??= directoryId
    if (this.#directoryId === directoryId) return
    throw new DataDirectoryError(
      'ZKS_DATA_DIR_FOREIGN_FILE',
      `${file} belongs to another data directory: move it away, and restore the file that belongs here`,
      { file, offset: 0 },
    )
  }
}

const nothingIntact: IntactRecords = { records: 0, transactions: 0 }

function isCorrupt(error: unknown): error is DataDirectoryError {
  return error instanceof DataDirectoryError && error.code === 'ZKS_DATA_DIR_CORRUPT'
}

/** A damaged header makes the whole file unreadable: the checksums of its records start from it. */
function damagedHeader(firstZxid: number, { message }: DataDirectoryError): SegmentEnd {
  const damage = { file: logName(firstZxid), offset: 0, problem: message, intact: nothingIntact }
  return { size: headerSize, lastZxid: firstZxid - 1, isSealed: false, tornTail: undefined, damage }
}

/** The header of the first log file identifies the directory. */
function unknownDirectory({ message, file = '', offset = 0 }: DataDirectoryError): Error {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${message}. Restore the directory from a backup`,
    { file, offset },
  )
}

function missing(firstZxid: number): DataDirectoryError {
  const file = logName(firstZxid)
  return new DataDirectoryError(
    'ZKS_DATA_DIR_FILE_MISSING',
    `${file} is missing, so transactions from ${firstZxid} on cannot be read. ` +
      'Restore the file, or the directory from a backup',
    { file },
  )
}
