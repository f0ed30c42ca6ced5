import { afterEach, describe, expect, test, vi } from 'vitest'

import { type Bug, bugs, type Exports } from './bugs.ts'
import { makeScenario } from './scenario.ts'

/** Within so many seeds every one of them has to be found. */
const seeds = 60

async function findingOf({ module, make }: Bug): Promise<string | undefined> {
  vi.resetModules()
  vi.doMock(`../../packages/${module}`, async (importOriginal) =>
    make(await importOriginal<Exports>()),
  )
  const { simulate } = await import('./simulate.ts')
  for (let seed = 1; seed <= seeds; seed++) {
    const { violations } = await simulate(makeScenario(seed))
    const [first] = violations
    if (first !== undefined) return `seed ${seed}, ${first.rule}: ${first.text}`
  }
  return undefined
}

describe('the simulation can fail', () => {
  afterEach(() => {
    vi.resetModules()
  })

  for (const bug of bugs) {
    test(`finds that ${bug.name}`, { timeout: 300_000 }, async () => {
      const finding = await findingOf(bug)
      vi.doUnmock(`../../packages/${bug.module}`)
      expect(finding).toBeDefined()
    })
  }
})
