import { MalformedRecordError } from '@elasticjob/zookeeper/protocol'
import { expect, test } from 'vitest'
import { frameHeaderSize } from '../../src/persistence/frame.ts'
import {
  decodeRecord,
  encodeSeal,
  isLaterRecord,
  RecordEncoder,
} from '../../src/persistence/log-record.ts'

function none(zxid: number): {
  zxid: number
  time: number
  sessionId: bigint
  body: { kind: 'none' }
} {
  return { zxid, time: 5, sessionId: 3n, body: { kind: 'none' } }
}

test('RecordEncoder: collected transactions are decoded with their zxids', () => {
  const encoder = new RecordEncoder()
  expect(encoder.take()).toBeUndefined()
  encoder.add(none(7))
  encoder.add(none(8))
  const record = encoder.take()
  expect(record?.lastZxid).toBe(8)
  expect(decodeRecord(record?.frame.subarray(frameHeaderSize) as Buffer)).toEqual({
    firstZxid: 7,
    transactions: [none(7), none(8)],
  })
  expect(encoder.take()).toBeUndefined()
})

test('a seal contains the zxid at which the log continues', () => {
  const payload = encodeSeal(2 ** 40).subarray(frameHeaderSize)
  expect(decodeRecord(payload)).toEqual({ firstZxid: 2 ** 40, transactions: [] })
})

test('decodeRecord refuses unexpected bytes', () => {
  const payload = Buffer.concat([encodeSeal(1).subarray(frameHeaderSize), Buffer.from([1])])
  expect(() => decodeRecord(payload)).toThrow(MalformedRecordError)
})

test('isLaterRecord accepts a zxid close behind the missing one', () => {
  const startingWith = (zxid: number): Buffer => encodeSeal(zxid).subarray(frameHeaderSize)
  expect(isLaterRecord(startingWith(9), 10)).toBe(false)
  expect(isLaterRecord(startingWith(10), 10)).toBe(true)
  expect(isLaterRecord(startingWith(10_000_000), 10)).toBe(true)
  expect(isLaterRecord(startingWith(2 ** 40), 10)).toBe(false)
})
