import { describe, expect, it } from 'vitest'

import { descending } from '../../../src/job-tree/job-view.ts'
import { spread } from '../../../src/sharding/strategies/spread.ts'

const fleet = Array.from({ length: 10 }, (_, i) => `10.0.0.${i}@-@1-abcdefg${i}`).toSorted(
  descending,
)
const jobs = Array.from({ length: 1000 }, (_, i) => `job-${i}`)

function ownerOf(jobName: string, instances: readonly string[]): string | undefined {
  const epoch = spread.shard(instances, jobName, 1, new Map(), 0)
  return [...epoch].find(([, items]) => items.length === 1)?.[0]
}

describe('SPREAD', () => {
  it('spreads jobs of one shard over the fleet', () => {
    const counts = new Map(fleet.map((instance) => [instance, 0]))
    for (const job of jobs) {
      const owner = ownerOf(job, fleet) as string
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }
    // 100 each by rights; chance alone stays within four deviations of it.
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(40)
  })

  it('moves only the jobs of an instance that leaves, and only to one that joins', () => {
    const [gone, ...others] = fleet
    for (const job of jobs) {
      const before = ownerOf(job, fleet)
      if (before === gone) continue
      expect(ownerOf(job, others)).toBe(before)
    }
  })
})
