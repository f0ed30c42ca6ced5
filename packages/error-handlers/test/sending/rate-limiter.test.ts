import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import { RateLimiter, type Waiting } from '../../src/sending/rate-limiter.ts'

let clock: SimulatedClock
let log: string[]

beforeEach(() => {
  clock = new SimulatedClock()
  log = []
})

/** Takes this many milliseconds to send. */
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

test('Turns runs four sends at once, and the others wait in order', async () => {
  const rateLimiter = new RateLimiter(20)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) rateLimiter.take(waiting(name, 100))
  await clock.advance(99)
  expect(log).toEqual(['a at 0', 'b at 0', 'c at 0', 'd at 0'])
  await clock.advance(1)
  expect(log.slice(4)).toEqual(['e at 100', 'f at 100'])
})

test('Turns limits the sends per minute', async () => {
  const rateLimiter = new RateLimiter(2)
  rateLimiter.take(waiting('a'))
  await clock.advance(10_000)
  for (const name of ['b', 'c', 'd', 'e']) rateLimiter.take(waiting(name))
  await clock.advance(130_000)
  expect(log).toEqual(['a at 0', 'b at 10000', 'c at 60000', 'd at 70000', 'e at 120000'])
  expect(clock.pending).toBe(0)
})

describe('Turns.hurry', () => {
  test('refuses senders that would wait for another minute', async () => {
    const rateLimiter = new RateLimiter(2)
    for (const name of ['a', 'b', 'c']) rateLimiter.take(waiting(name))
    rateLimiter.hurry(true)
    rateLimiter.take(waiting('d'))
    await clock.advance(1)
    expect(log).toEqual([
      'a at 0',
      'b at 0',
      'c refused: the rate limit of 2 messages per minute (messagesPerMinute) is reached',
      'd refused: the rate limit of 2 messages per minute (messagesPerMinute) is reached',
    ])
    expect(clock.pending).toBe(0)
  })

  test('once ended, lets the next senders wait again', async () => {
    const rateLimiter = new RateLimiter(1)
    rateLimiter.take(waiting('a'))
    rateLimiter.hurry(true)
    rateLimiter.hurry(false)
    rateLimiter.take(waiting('b'))
    await clock.advance(60_000)
    expect(log).toEqual(['a at 0', 'b at 60000'])
  })
})

test('Turns.refuseAll refuses every waiting sender', async () => {
  const rateLimiter = new RateLimiter(1)
  for (const name of ['a', 'b', 'c']) rateLimiter.take(waiting(name))
  rateLimiter.refuseAll('enough')
  await clock.advance(60_000)
  expect(log).toEqual(['a at 0', 'b refused: enough', 'c refused: enough'])
})
