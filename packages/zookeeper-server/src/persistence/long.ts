import { type JuteReader, MalformedRecordError } from '@elasticjob/zookeeper/protocol'

/** Reads a long that is a safe integer (a zxid, a time), as `writeLong` writes it. */
export function readLong(reader: JuteReader): number {
  const high = reader.int()
  const low = reader.int()
  const value = high * 0x1_0000_0000 + (low >>> 0)
  if (!Number.isSafeInteger(value)) throw new MalformedRecordError(`a long of ${value}`)
  return value
}
