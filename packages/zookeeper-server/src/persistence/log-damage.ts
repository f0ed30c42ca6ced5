import { DataDirectoryError } from '../errors.ts'
import type { FrameReader } from './frame-reader.ts'
import { isLaterRecord, recordPrefixLength, tryDecodeRecord } from './log-record.ts'

/** Intact records behind a damage. */
export interface IntactRecords {
  readonly records: number
  readonly transactions: number
}

/** Damage in the log that a crash does not explain: acknowledged writes may be lost. */
export interface LogDamage {
  readonly file: string
  readonly offset: number
  readonly problem: string
  readonly intact: IntactRecords
}

/** The minimum size of a transaction: a time, a session and a kind. */
const leastTransactionSize = 20

/** How far removed bytes may have moved a record for the search to find it: a log of the default size. */
const farthestMove = 64 * 1024 * 1024

/**
 * Counts the intact records in the rest of a file whose transaction `missingZxid` should begin at the
 * reader's position. A record counts at any position: inserted or removed bytes move all records behind them.
 */
export async function countIntact(
  reader: FrameReader,
  missingZxid: number,
): Promise<IntactRecords> {
  const { offset: start, remaining } = reader
  let expectedZxid = missingZxid
  let records = 0
  let transactions = 0
  await reader.scan(
    recordPrefixLength,
    (prefix) => isLaterRecord(prefix, expectedZxid),
    (payload, writtenOffset) => {
      const record = tryDecodeRecord(payload)
      if (typeof record === 'string') return false
      const distance = (writtenOffset - start) >>> 0
      const missing = record.firstZxid - missingZxid
      const isPossible =
        missing === 0
          ? distance === 0
          : distance >= missing * leastTransactionSize && distance <= remaining + farthestMove
      if (!isPossible) return false
      records++
      transactions += record.transactions.length
      expectedZxid = record.firstZxid + record.transactions.length
      return true
    },
  )
  return { records, transactions }
}

export function damageError({ file, offset, problem, intact }: LogDamage): DataDirectoryError {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${file} is damaged at offset ${offset}: ${problem}. Behind the damage: ${describeIntact(intact)}. ` +
      'A crash does not explain this, and acknowledged writes may be lost. Restore the directory from a ' +
      'backup, or start with the state before the damage and drop the rest with acceptDataLoss ' +
      '(elasticjob zookeeper --accept-data-loss), which keeps the damaged files under another name',
    { file, offset },
  )
}

export function describeIntact({ records, transactions }: IntactRecords): string {
  if (records === 0) return 'no intact record'
  const count = records === 1 ? '1 intact record' : `${records} intact records`
  return `${count} (${transactions} ${transactions === 1 ? 'transaction' : 'transactions'})`
}
