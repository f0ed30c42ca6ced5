import type { Clock } from '@elasticjob/core'
import { systemClock } from '@elasticjob/core/internal'
import { beforeEach, expect, it } from 'vitest'

import { Throttle } from '../../../src/server/accounts/throttle.ts'

let now: number
let throttle: Throttle
const keys = ['address 10.0.0.1', 'account root']
const clock: Clock = { ...systemClock, monotonic: () => now }

beforeEach(() => {
  now = 0
  throttle = new Throttle(clock)
})

const wrong = (): Promise<undefined> => Promise.resolve(undefined)
const right = (): Promise<string> => Promise.resolve('root')

async function guess(times: number): Promise<void> {
  for (let guessed = 0; guessed < times; guessed++) await throttle.attempt(keys, wrong)
}

it('lets a few mistakes pass, and then makes wait', async () => {
  await guess(5)
  await expect(throttle.attempt(keys, right)).rejects.toMatchObject({
    code: 'CONSOLE_THROTTLED',
    retryAfter: 1,
  })
  now += 1000
  expect(await throttle.attempt(keys, right)).toBe('root')
  await guess(5)
})

it('makes wait longer each time, but not for ever', async () => {
  await guess(5)
  const waits: number[] = []
  for (let time = 0; time < 12; time++) {
    const { retryAfter } = (await throttle
      .attempt(keys, wrong)
      .catch((error: unknown) => error)) as {
      retryAfter: number
    }
    waits.push(retryAfter)
    now += retryAfter * 1000
    await guess(1)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
})

it('counts an address whatever account it tries, and an account whoever tries it', async () => {
  await guess(5)
  await expect(throttle.attempt(['address 10.0.0.1', 'account guest'], right)).rejects.toThrow(
    'too many',
  )
  await expect(throttle.attempt(['address 10.0.0.2', 'account root'], right)).rejects.toThrow(
    'too many',
  )
  expect(await throttle.attempt(['address 10.0.0.2', 'account guest'], right)).toBe('root')
})

it('judges one after the other, so that many at once are no way around it', async () => {
  let judged = 0
  const attempts = Array.from({ length: 20 }, () =>
    throttle.attempt(keys, () => {
      judged += 1
      return wrong()
    }),
  )
  await Promise.allSettled(attempts)
  expect(judged).toBe(5)
})

it('sends away who comes when too many wait', async () => {
  const attempts = Array.from({ length: 101 }, () => throttle.attempt(['x'], right))
  const last = await attempts.at(-1)?.catch((error: unknown) => error)
  expect(last).toMatchObject({ code: 'CONSOLE_BUSY' })
  expect(await Promise.all(attempts.slice(0, -1))).toHaveLength(100)
})
