import { afterEach, describe, expect, test, vi } from 'vitest'

import { type Bug, bugs, type Exports } from './bugs.ts'
import { makeScenario } from './make-scenario.ts'

/** Within so many seeds every one of them has to be found. */
const seeds = 60

/** The seeds that are tried: those that have what it takes to find it. */
function* seedsFor({ needs = () => true }: Bug): Generator<number> {
  let tried = 0
  for (let seed = 1; tried < seeds; seed++) {
    if (!needs(makeScenario(seed))) continue
    tried += 1
    yield seed
  }
}

function modulesOf({ module, make, also }: Bug): Pick<Bug, 'module' | 'make'>[] {
  return [{ module, make }, ...(also === undefined ? [] : [also])]
}

async function findingOf(bug: Bug): Promise<string | undefined> {
  vi.resetModules()
  for (const { module, make } of modulesOf(bug)) {
    vi.doMock(`../../packages/${module}`, async (importOriginal) =>
      make(await importOriginal<Exports>()),
    )
  }
  const { simulate } = await import('./simulate.ts')
  for (const seed of seedsFor(bug)) {
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
      for (const { module } of modulesOf(bug)) vi.doUnmock(`../../packages/${module}`)
      expect(finding).toBeDefined()
    })
  }
})
