import { expect, test } from 'vitest'
import { logName, namesOf, snapshotName } from '../../src/persistence/names.ts'
import { planRetention } from '../../src/persistence/retention.ts'

const names = namesOf([...[30, 10, 20, 40].map(snapshotName), ...[1, 11, 21, 31, 41].map(logName)])

test('planRetention keeps the newest snapshots, and the log from the oldest of them on', () => {
  expect(planRetention(names, 1)).toEqual({ snapshots: [10, 20, 30], logs: [1, 11, 21, 31] })
  expect(planRetention(names, 3)).toEqual({ snapshots: [10], logs: [1, 11] })
})

test('planRetention keeps a log file that begins without a snapshot of its own', () => {
  const withoutSnapshot = namesOf([10, 40].map(snapshotName).concat([11, 21, 31, 41].map(logName)))
  expect(planRetention(withoutSnapshot, 2)).toEqual({ snapshots: [], logs: [] })
})

test('planRetention removes nothing until there are keepSnapshots snapshots', () => {
  expect(planRetention(names, 5)).toEqual({ snapshots: [], logs: [] })
  expect(planRetention(names, Infinity)).toEqual({ snapshots: [], logs: [] })
  expect(planRetention(namesOf([logName(1)]), 1)).toEqual({ snapshots: [], logs: [] })
})
