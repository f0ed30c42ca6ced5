import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { expect, it } from 'vitest'

import { SharedInInstant } from '../../src/registry/shared-in-instant.ts'

it('asks once for all who ask in the same instant, and again for who comes later', async () => {
  const clock = new SimulatedClock()
  let asked = 0
  const shared = new SharedInInstant(clock, async () => (asked += 1))
  const answers = [shared.answer(), shared.answer()]
  expect(await Promise.all(answers)).toEqual([1, 1])
  await clock.advance(0)
  expect(await shared.answer()).toBe(2)
})

it('tells all of them that it could not be asked', async () => {
  const shared = new SharedInInstant(new SimulatedClock(), () => Promise.reject(new Error('away')))
  const answers = [shared.answer(), shared.answer()]
  for (const answer of answers) await expect(answer).rejects.toThrow('away')
})
