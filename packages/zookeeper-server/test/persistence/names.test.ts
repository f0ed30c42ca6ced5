import { expect, test } from 'vitest'
import {
  lockName,
  logName,
  namesOf,
  parseName,
  setAsideName,
  snapshotName,
  temporaryName,
} from '../../src/persistence/names.ts'

test('parseName reads back generated names', () => {
  for (const zxid of [0, 1, 255, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect(parseName(logName(zxid))).toEqual({ kind: 'log', zxid })
    expect(parseName(snapshotName(zxid))).toEqual({ kind: 'snapshot', zxid })
  }
  expect(parseName(setAsideName(snapshotName(3), []))).toEqual({ kind: 'setAside' })
  expect(parseName(setAsideName(logName(3), []))).toEqual({ kind: 'setAside' })
  expect(parseName(temporaryName(logName(3)))).toEqual({ kind: 'temporary' })
  expect(parseName(temporaryName(snapshotName(3)))).toEqual({ kind: 'temporary' })
  expect(parseName(lockName(123, '45-6789abcd'))).toEqual({
    kind: 'lock',
    pid: 123,
    start: '45-6789abcd',
  })
})

test('setAsideName returns an unused name', () => {
  const inUse: string[] = []
  for (let i = 0; i < 3; i++) inUse.push(setAsideName(logName(3), inUse))
  const name = `${logName(3)}.damaged`
  expect(inUse).toEqual([name, `${name}-2`, `${name}-3`])
  for (const file of [...inUse, temporaryName(name)]) expect(parseName(file)).toBeDefined()
})

test('names sort in zxid order', () => {
  const zxids = [1, 9, 10, 16, 255, 256, 4096, 2 ** 40]
  const names = zxids.map(logName)
  expect(names.toSorted()).toEqual(names)
})

test.for([
  'log.1',
  'log.0000000000000g',
  'log.ffffffffffffff',
  'snapshot.000000000000011',
  'version-2',
  'myid',
  'lock',
  'lock.0.1',
  'lock.00000000000001.damaged',
  'something.tmp',
  '.hidden',
])('%s is nobody that a server knows', (name) => {
  expect(parseName(name)).toBeUndefined()
  expect(namesOf([name, logName(1)])).toEqual([{ kind: 'log', zxid: 1 }])
})
