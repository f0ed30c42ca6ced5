import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, expect, test } from 'vitest'

import { Intake } from '../../src/recorder/intake.ts'

const limits = { calm: 100, timeout: 1000, notes: 500, characters: 1000 }

let clock: SimulatedClock
let intake: Intake
let done: number[]
let emptied: number[]

beforeEach(() => {
  clock = new SimulatedClock()
  done = []
  emptied = []
  intake = new Intake(limits, clock, (since) => emptied.push(since))
})

function note(number: number, characters = 0): void {
  intake.add(() => done.push(number), characters)
}

const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index)

test('Intake processes notes after a quiet interval', async () => {
  const since = clock.monotonic()
  for (const number of upTo(5)) {
    note(number)
    await clock.advance(60)
  }
  expect(done).toEqual([])
  await clock.advance(200)
  expect(done).toEqual(upTo(5))
  expect(emptied).toEqual([since])
  expect(intake.isEmpty).toBe(true)
  expect(clock.pending).toBe(0)
})

test('Intake processes notes after a second even if more keep arriving', async () => {
  for (const number of upTo(50)) {
    note(number)
    await clock.advance(50)
  }
  expect(done.length).toBeGreaterThanOrEqual(20)
  expect(done).toEqual(upTo(done.length))
})

test('Intake yields to the event loop between slices', async () => {
  for (const number of upTo(499)) note(number)
  const seen: number[] = []
  clock.setTimer(() => clock.afterPoll(() => seen.push(done.length)), 200)
  await clock.advance(200)
  expect(done).toEqual(upTo(499))
  expect(seen[0]).toBeLessThan(499)
})

test('Intake waits again when notes arrive during the work', async () => {
  for (const number of upTo(300)) note(number)
  clock.setTimer(() => note(300), 200)
  await clock.advance(200)
  expect(done.length).toBeLessThan(300)
  await clock.advance(200)
  expect(done).toEqual(upTo(301))
})

test('Intake.empty processes everything at once', async () => {
  for (const number of upTo(150)) note(number)
  await clock.advance(50)
  intake.empty()
  expect(done).toEqual(upTo(150))
  expect(emptied).toHaveLength(1)
  expect(clock.pending).toBe(0)
  intake.empty()
  expect(emptied).toHaveLength(1)
})

test('Intake keeps no more notes and characters than its limits', () => {
  for (const number of upTo(499)) note(number)
  expect(done).toEqual([])
  note(499)
  expect(done).toEqual(upTo(500))
  note(500, 999)
  expect(done).toHaveLength(500)
  note(501, 1)
  expect(done).toHaveLength(502)
})
