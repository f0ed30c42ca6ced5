import { describe, expect, it } from 'vitest'
import { Statistics } from '../src/statistics.ts'

describe('Statistics', () => {
  it('starts at zero', () => {
    const { minLatency, averageLatency, maxLatency } = new Statistics()
    expect([minLatency, averageLatency, maxLatency]).toEqual([0, 0, 0])
  })

  it('weights latencies by the number of requests', () => {
    const statistics = new Statistics()
    statistics.answered(3, 2)
    statistics.answered(1, 10)
    const { minLatency, averageLatency, maxLatency, lastLatency } = statistics
    expect([minLatency, averageLatency, maxLatency, lastLatency]).toEqual([2, 4, 10, 10])
  })
})
