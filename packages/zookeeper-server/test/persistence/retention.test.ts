import { expect, test } from 'vitest'
import { logName, namesOf, snapshotName } from '../../src/persistence/names.ts'
import { planRetention } from '../../src/persistence/retention.ts'

const names = namesOf([...[30, 10, 20, 40].map(snapshotName), ...[1, 11, 21, 31, 41].map(logName)])

test('the newest snapshots stay, with the log from the oldest of them on', () => {
  expect(planRetention(names, 1)).toEqual({ snapshots: [10, 20, 30], logs: [1, 11, 21, 31] })
  expect(planRetention(names, 3)).toEqual({ snapshots: [10], logs: [1, 11] })
})

test('a log that began without its snapshot is part of the way from the one before', () => {
  const withoutSnapshot = namesOf([10, 40].map(snapshotName).concat([11, 21, 31, 41].map(logName)))
  expect(planRetention(withoutSnapshot, 2)).toEqual({ snapshots: [], logs: [] })
})

test('nothing goes before there are as many snapshots as are kept', () => {
  expect(planRetention(names, 5)).toEqual({ snapshots: [], logs: [] })
  expect(planRetention(names, Infinity)).toEqual({ snapshots: [], logs: [] })
  expect(planRetention(namesOf([logName(1)]), 1)).toEqual({ snapshots: [], logs: [] })
})
