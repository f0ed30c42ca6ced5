import { availableParallelism } from 'node:os'

import { describe, expect, test } from 'vitest'

import { type Bug, bugs } from './bugs.ts'
import { withWorker } from './bundle.ts'
import { makeScenario } from './make-scenario.ts'
import { simulateSeeds } from './worker-pool.ts'

/** Each of them has to be found by one of these seeds. */
const lastSeed = 300

/** The seeds that have what it takes to find a bug. */
function* seedsFor({ needs = () => true }: Bug): Generator<number> {
  for (let seed = 1; seed <= lastSeed; seed++) {
    if (needs(makeScenario(seed))) yield seed
  }
}

/** What the first of the seeds that fails says of its first violation. */
async function findingOf(
  bug: Bug | undefined,
  seeds: Iterator<number>,
): Promise<string | undefined> {
  let finding: string | undefined
  const options = { shrink: false }
  await withWorker(bug, (program) =>
    simulateSeeds({ program, jobs: availableParallelism(), options }, seeds, (report) => {
      if (report.text !== '') finding ??= report.text
      return finding === undefined
    }),
  )
  return finding
}

describe('the simulation can fail', () => {
  test.each(bugs)(
    'finds that $name, by a seed without violations otherwise',
    {
      timeout: 300_000,
    },
    async (bug) => {
      const finding = await findingOf(bug, seedsFor(bug))
      expect(finding).toMatch(/^seed \d+: \d+ violations, of /)
      const seed = Number(/\d+/.exec(finding ?? '')?.[0])
      await expect(findingOf(undefined, [seed].values())).resolves.toBeUndefined()
    },
  )
})
