import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { Turns, type Waiting } from '../../src/sending/turns.ts'

let clock: SimulatedClock
let log: string[]

beforeEach(() => {
  clock = new SimulatedClock()
  log = []
})

/** Takes so many milliseconds to send. */
function waiting(name: string, milliseconds = 0): Waiting {
  return {
    clock,
    send: () =>
      new Promise((resolve) => {
        log.push(`${name} at ${clock.monotonic()}`)
        clock.setTimer(() => resolve(), milliseconds)
      }),
    refuse: (reason) => void log.push(`${name} refused: ${reason}`),
  }
}

test('four are on their way at once, the others wait in their order', async () => {
  const turns = new Turns(20)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) turns.take(waiting(name, 100))
  await clock.advance(99)
  expect(log).toEqual(['a at 0', 'b at 0', 'c at 0', 'd at 0'])
  await clock.advance(1)
  expect(log.slice(4)).toEqual(['e at 100', 'f at 100'])
})

test('not more begin within a minute than there may', async () => {
  const turns = new Turns(2)
  turns.take(waiting('a'))
  await clock.advance(10_000)
  for (const name of ['b', 'c', 'd', 'e']) turns.take(waiting(name))
  await clock.advance(130_000)
  expect(log).toEqual(['a at 0', 'b at 10000', 'c at 60000', 'd at 70000', 'e at 120000'])
  expect(clock.pending).toBe(0)
})

describe('in a hurry', () => {
  test('whoever would wait for another minute is refused', async () => {
    const turns = new Turns(2)
    for (const name of ['a', 'b', 'c']) turns.take(waiting(name))
    turns.hurry(true)
    turns.take(waiting('d'))
    await clock.advance(1)
    expect(log).toEqual([
      'a at 0',
      'b at 0',
      'c refused: there were 2 messages within a minute',
      'd refused: there were 2 messages within a minute',
    ])
    expect(clock.pending).toBe(0)
  })

  test('that is over, the next ones wait again', async () => {
    const turns = new Turns(1)
    turns.take(waiting('a'))
    turns.hurry(true)
    turns.hurry(false)
    turns.take(waiting('b'))
    await clock.advance(60_000)
    expect(log).toEqual(['a at 0', 'b at 60000'])
  })
})

test('all that wait can be refused', async () => {
  const turns = new Turns(1)
  for (const name of ['a', 'b', 'c']) turns.take(waiting(name))
  turns.refuseAll('enough')
  await clock.advance(60_000)
  expect(log).toEqual(['a at 0', 'b refused: enough', 'c refused: enough'])
})
