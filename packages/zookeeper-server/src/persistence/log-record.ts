import { JuteReader, JuteWriter, MalformedRecordError } from '@elasticjob/zookeeper/protocol'
import type { Transaction } from '../transaction.ts'
import { writeLong } from '../wire.ts'
import { beginFrame, frameHeaderSize } from './frame.ts'
import { readLong } from './long.ts'
import { readTransaction, writeTransaction } from './transaction-codec.ts'

/**
 * A frame of the log holds the transactions that are made durable together: a power failure leaves
 * any part of a write that was not synced yet, so whatever is in one write has one checksum.
 * A record without transactions is a seal: the log goes on in the file that begins with its zxid.
 */
export interface LogRecord {
  readonly firstZxid: number
  readonly transactions: readonly Transaction[]
}

/** A frame of the log, complete but for length and checksum. */
export interface EncodedRecord {
  readonly frame: Buffer
  readonly lastZxid: number
}

const countOffset = frameHeaderSize + 8

/** The least that a record has: a zxid and a count. */
export const recordPrefixLength = 12

/** Whether a record that begins like this could follow in a log where this transaction is missing. */
export function isLaterRecord(prefix: Buffer, missingZxid: number): boolean {
  const zxid = prefix.readInt32BE(0) * 0x1_0000_0000 + prefix.readUInt32BE(4)
  return zxid >= missingZxid && zxid <= missingZxid + 2 ** 32
}

/** Gathers transactions for the next frame. */
export class RecordEncoder {
  readonly #writer = new JuteWriter()
  #count = 0
  #lastZxid = 0

  /** The bytes gathered. */
  get length(): number {
    return this.#writer.length
  }

  add(transaction: Transaction): void {
    const writer = this.#writer
    if (this.#count === 0) beginRecord(writer, transaction.zxid)
    writeTransaction(writer, transaction)
    this.#count++
    this.#lastZxid = transaction.zxid
  }

  /** What was gathered, if anything. */
  take(): EncodedRecord | undefined {
    if (this.#count === 0) return undefined
    const frame = this.#writer.take()
    frame.writeInt32BE(this.#count, countOffset)
    this.#count = 0
    return { frame, lastZxid: this.#lastZxid }
  }
}

/** The last frame of a file that is not the last file. */
export function encodeSeal(nextZxid: number): Buffer {
  const writer = new JuteWriter()
  beginRecord(writer, nextZxid)
  return writer.take()
}

export function decodeRecord(payload: Buffer): LogRecord {
  const reader = new JuteReader(payload)
  const firstZxid = readLong(reader)
  let zxid = firstZxid
  const transactions = reader.vector((from) => readTransaction(from, zxid++))
  if (reader.remaining > 0) throw new MalformedRecordError(`${reader.remaining} bytes too many`)
  return { firstZxid, transactions }
}

function beginRecord(writer: JuteWriter, firstZxid: number): void {
  beginFrame(writer)
  writeLong(writer, firstZxid)
  writer.int(0)
}
