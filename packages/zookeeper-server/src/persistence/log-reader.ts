import { MalformedRecordError } from '@elasticjob/zookeeper/protocol'
import { DataDirectoryError } from '../errors.ts'
import type { Transaction } from '../transaction.ts'
import type { Directory, File } from './directory.ts'
import { headerSize, readHeader } from './file-header.ts'
import { FrameReader } from './frame-reader.ts'
import { decodeRecord, isLaterRecord, type LogRecord, recordPrefixLength } from './log-record.ts'
import { logName } from './names.ts'

/** Bytes at the end of the log that a crash left unfinished. */
export interface TornTail {
  readonly file: string
  readonly offset: number
  readonly bytes: number
  readonly problem: string
}

/** Where the log ends, and what has to be tidied up before it may go on there. */
export interface LogEnd {
  /** The file to go on in. */
  readonly firstZxid: number
  /** How much of it is good. */
  readonly size: number
  readonly lastZxid: number
  readonly directoryId: bigint
  readonly transactions: number
  readonly bytes: number
  readonly tornTail: TornTail | undefined
  /** A file that was begun and holds nothing: the one before it had not been sealed yet. */
  readonly unusedFile: string | undefined
}

/** How far one file of the log leads. */
interface SegmentEnd {
  readonly size: number
  readonly lastZxid: number
  readonly isSealed: boolean
  readonly tornTail: TornTail | undefined
}

/**
 * Reads the log from one of its files on, and applies what is in it. Only the end of the last file
 * may be unfinished, and only in a way that a crash can explain: everything else is refused.
 */
export class LogReader {
  readonly #directory: Directory
  readonly #segments: readonly number[]
  readonly #apply: (transaction: Transaction) => void
  #directoryId: bigint | undefined
  #transactions = 0
  #bytes = 0

  /** `segments` are the first zxids of all files of the log, in ascending order. */
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

  /** Reads on from the file that begins with this transaction. */
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
      const unusedFile = next === undefined ? undefined : await this.#unused(firstZxid, end, next)
      return {
        ...end,
        firstZxid,
        unusedFile,
        directoryId: this.#directoryId as bigint,
        transactions: this.#transactions,
        bytes: this.#bytes,
      }
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
    } finally {
      await file.close()
    }
  }

  async #readRecords(reader: FrameReader, name: string, firstZxid: number): Promise<SegmentEnd> {
    for (let nextZxid = firstZxid; ;) {
      const offset = reader.offset
      const reading = await reader.next()
      const lastZxid = nextZxid - 1
      const end = { size: offset, lastZxid, isSealed: false, tornTail: undefined }
      if (reading.kind === 'end') return end
      if (reading.kind === 'damage') {
        return { ...end, tornTail: await tornTail(reader, name, nextZxid, reading.problem) }
      }
      const record = decode(reading.payload, name, offset)
      if (record.firstZxid !== nextZxid) {
        const problem = `transaction ${record.firstZxid} comes where ${nextZxid} should`
        throw corrupt(name, offset, problem)
      }
      if (record.transactions.length === 0) {
        if (reader.remaining > 0) throw corrupt(name, reader.offset, 'it goes on after its end')
        return { ...end, size: reader.offset, isSealed: true }
      }
      for (const transaction of record.transactions) this.#apply(transaction)
      this.#transactions += record.transactions.length
      nextZxid += record.transactions.length
    }
  }

  /** The file after one that is not sealed: it was just begun when everything ended, or all is wrong. */
  async #unused(firstZxid: number, end: SegmentEnd, next: number): Promise<string> {
    const name = logName(next)
    const file = await this.#directory.open(name, 'read')
    try {
      const { directoryId } = await readHeader(file, name, 'log', next)
      this.#checkDirectory(directoryId, name)
      const isUnused = next === end.lastZxid + 1 && next === this.#segments.at(-1)
      if (isUnused && (await isEmpty(file))) return name
    } finally {
      await file.close()
    }
    const problem = `it ends with transaction ${end.lastZxid}, but ${name} goes on elsewhere`
    throw corrupt(logName(firstZxid), end.size, end.tornTail?.problem ?? problem)
  }

  #checkDirectory(directoryId: bigint, file: string): void {
    this.#directoryId ??= directoryId
    if (this.#directoryId === directoryId) return
    throw new DataDirectoryError(
      'ZKS_DATA_DIR_FOREIGN_FILE',
      `${file} is from another data directory: move it away, and restore the file that belongs here`,
      { file, offset: 0 },
    )
  }
}

async function isEmpty(file: File): Promise<boolean> {
  return (await file.size()) === headerSize
}

function decode(payload: Buffer, name: string, offset: number): LogRecord {
  try {
    return decodeRecord(payload)
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error
    // Its checksum is right: these are the bytes that somebody wrote.
    throw corrupt(name, offset, error.message)
  }
}

/** What is behind the last good record, if a crash can have left it. */
async function tornTail(
  reader: FrameReader,
  file: string,
  nextZxid: number,
  problem: string,
): Promise<TornTail> {
  const { offset, remaining } = reader
  const isLater = (prefix: Buffer): boolean => isLaterRecord(prefix, nextZxid)
  if (await reader.findsFrameBehind(recordPrefixLength, isLater)) {
    // Nothing is written before what precedes it is durable: this was whole once.
    throw corrupt(file, offset, `${problem}, and intact records follow`)
  }
  return { file, offset, bytes: remaining, problem }
}

function corrupt(file: string, offset: number, problem: string): DataDirectoryError {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${file} is damaged at offset ${offset}: ${problem}. Restore the directory from a backup; or give ` +
      'up what follows: cut the file off at that offset, and move away the logs and snapshots with ' +
      'higher numbers',
    { file, offset },
  )
}

function missing(firstZxid: number): DataDirectoryError {
  const file = logName(firstZxid)
  return new DataDirectoryError(
    'ZKS_DATA_DIR_FILE_MISSING',
    `${file} is missing: transactions from ${firstZxid} on cannot be read. ` +
      'Restore the file, or the directory from a backup',
    { file },
  )
}
