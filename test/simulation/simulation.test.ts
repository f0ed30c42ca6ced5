import { describe, expect, test } from 'vitest'

import { hashOf } from './history-hash.ts'
import { makeScenario } from './make-scenario.ts'
import { simulate } from './simulate.ts'
import { timelineOf } from './timeline.ts'

const seeds = Array.from({ length: 40 }, (_, index) => index + 1)

describe('a simulated cluster', { timeout: 120_000 }, () => {
  test.each(seeds)('keeps its promises: seed %i', async (seed) => {
    const result = await simulate(makeScenario(seed))
    expect(timelineOf(result)).toBe('')
    expect(result.history.runs.length).toBeGreaterThan(0)
  })

  test('tells the same story from the same seed', async () => {
    const one = await simulate(makeScenario(15))
    const other = await simulate(makeScenario(15))
    expect(hashOf(other.history)).toBe(hashOf(one.history))
    const another = await simulate(makeScenario(17))
    expect(hashOf(another.history)).not.toBe(hashOf(one.history))
  })
})
