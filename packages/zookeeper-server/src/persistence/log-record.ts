import { JuteReader, JuteWriter, MalformedRecordError } from '@elasticjob/zookeeper/protocol'
import type { Transaction } from '../transaction.ts'
import { writeLong } from '../wire.ts'
import { beginFrame, frameHeaderSize } from './frame.ts'
import { readLong } from './long.ts'
import { readTransaction, writeTransaction } from './transaction-codec.ts'

/**
 * A log frame with the transactions that are made durable together: a power failure may keep any part of an
 * unsynced write, so each write has one checksum. A record without transactions is a seal: the log continues
 * in the file that begins with its zxid.
 */
export interface LogRecord {
  readonly firstZxid: number
  readonly transactions: readonly Transaction[]
}

/** A log frame without length and checksum. */
export interface EncodedRecord {
  readonly frame: Buffer
  readonly lastZxid: number
}

const countOffset = frameHeaderSize + 8

/** The minimum content of a record: a zxid and a count. */
export const recordPrefixLength = 12

/** Whether a record with this prefix could follow in a log where this transaction is missing. */
export function isLaterRecord(prefix: Buffer, missingZxid: number): boolean {
  const zxid = prefix.readInt32BE(0) * 0x1_0000_0000 + prefix.readUInt32BE(4)
  return zxid >= missingZxid && zxid <= missingZxid + 2 ** 32
}

/** Collects transactions for the next frame. */
export class RecordEncoder {
  readonly #writer = new JuteWriter()
  #count = 0
  #lastZxid = 0

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

  /** Returns the collected transactions, if any. */
  take(): EncodedRecord | undefined {
    if (this.#count === 0) return undefined
    const frame = this.#writer.take()
    frame.writeInt32BE(this.#count, countOffset)
    this.#count = 0
    return { frame, lastZxid: this.#lastZxid }
  }
}

/** The last frame of every file but the last. */
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
  if (reader.remaining > 0)
    throw new MalformedRecordError(`${reader.remaining} unexpected bytes at the end`)
  return { firstZxid, transactions }
}

/** Returns the record, or what is wrong with it. */
export function tryDecodeRecord(payload: Buffer): LogRecord | string {
  try {
    return decodeRecord(payload)
  } catch (error) {
    if (error instanceof MalformedRecordError) return error.message
    throw error
  }
}

function beginRecord(writer: JuteWriter, firstZxid: number): void {
  beginFrame(writer)
  writeLong(writer, firstZxid)
  writer.int(0)
}
