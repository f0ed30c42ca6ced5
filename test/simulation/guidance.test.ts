import { describe, expect, test } from 'vitest'

import { coverageKey } from './coverage.ts'
import { coverageLevels } from './coverage-levels.ts'
import { levelsOf, rareSituation, situations, tableModule } from './guidance.ts'

const common = { shard: 'running', leader: 'settled' } as const
const rare = { shard: 'crashed', leader: 'new' } as const
const coverage = { [coverageKey('cut', common)]: 5000, [coverageKey('cut', rare)]: 1 }

/** How often each is chosen, over all chances alike. */
function shareOf(wanted: typeof common | typeof rare): number {
  const levels = { cut: levelsOf(coverage, 'cut') }
  const chosen = Array.from({ length: 1000 }, (_, index) =>
    rareSituation('cut', index / 1000, levels),
  )
  return chosen.filter(({ shard, leader }) => shard === wanted.shard && leader === wanted.leader)
    .length
}

describe('rareSituation', () => {
  test('prefers what a fault has rarely met', () => {
    expect(shareOf(rare)).toBeGreaterThan(5 * shareOf(common))
    expect(shareOf(common)).toBeGreaterThan(0)
  })

  test('knows no difference for a fault that is not in the table', () => {
    const chosen = situations.map((_, index) => rareSituation('new', index / situations.length, {}))
    expect(chosen).toEqual(situations)
  })
})

describe('the table', () => {
  test('has a digit for each situation', () => {
    for (const levels of Object.values(coverageLevels))
      expect(levels).toHaveLength(situations.length)
  })

  test('is written as a module', () => {
    const text = tableModule(coverage, ['server-cut', 'cut'])
    expect(text).toContain(
      "  cut: '00000000000901000000',\n  'server-cut': '00000000000000000000',\n",
    )
  })
})
