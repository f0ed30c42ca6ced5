import { JuteReader, JuteWriter, MalformedRecordError } from '@elasticjob/zookeeper/protocol'
import { expect, test } from 'vitest'
import { readTransaction, writeTransaction } from '../../src/persistence/transaction-codec.ts'
import type { Transaction } from '../../src/transaction.ts'
import { containerOwner, ttlOwner } from '../../src/tree/owner.ts'
import { fractions, History } from './support/history.ts'

function throughBytes(transaction: Transaction): Transaction {
  const writer = new JuteWriter()
  writeTransaction(writer, transaction)
  const reader = new JuteReader(writer.take())
  const read = readTransaction(reader, transaction.zxid)
  expect(reader.remaining).toBe(0)
  return read
}

test('transaction codec: reads back every kind of transaction', () => {
  const history = new History(fractions(31))
  const kinds = new Set<string>()
  for (let i = 0; i < 400; i++) {
    const transaction = history.next()
    kinds.add(transaction.body.kind)
    expect(throughBytes(transaction)).toEqual(transaction)
  }
  expect([...kinds].toSorted()).toEqual(
    [
      'closeSession',
      'create',
      'createSession',
      'delete',
      'multi',
      'none',
      'setAcl',
      'setData',
    ].toSorted(),
  )
})

test('transaction codec keeps owner markers, large numbers and missing data', () => {
  for (const owner of [containerOwner, ttlOwner(2n ** 40n - 1n), -5n, 2n ** 62n]) {
    const body = {
      kind: 'create',
      path: '/ü/𝄞',
      data: null,
      acl: [{ permissions: 31, id: { scheme: 'world', id: 'anyone' } }],
      owner,
      parentCreations: 2 ** 40,
    } as const
    const transaction = { zxid: 2 ** 52, time: 2 ** 45, sessionId: -(2n ** 63n), body }
    expect(throughBytes(transaction)).toEqual(transaction)
  }
})

test('transaction codec refuses an unknown kind', () => {
  const writer = new JuteWriter()
  for (const value of [0, 1, 0, 1, 99, 1]) writer.int(value)
  expect(() => readTransaction(new JuteReader(writer.take()), 1)).toThrow(MalformedRecordError)
})
