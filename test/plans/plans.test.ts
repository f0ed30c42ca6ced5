import { afterEach, describe, expect, it, vi } from 'vitest'

import type { ShardState } from '../../packages/core/src/job-tree/shard-state.ts'
import { explore } from './explore.ts'
import { describe as report } from './report.ts'
import { clusterOf, rulesOf, scenarios } from './scenarios.ts'

const bounds = { states: 1000, depth: 30, walks: 100 }

describe('the plans of instances with stale views', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'keep every invariant: %s',
    (_, scenario) => {
      const exploration = explore(clusterOf(scenario), rulesOf(scenario), bounds)
      const { finding, states } = exploration
      if (finding !== undefined) throw new Error(report(scenario, exploration, 1))
      expect(states).toBeGreaterThanOrEqual(scenario.leastStates ?? 100)
    },
    60_000,
  )
})

describe('the checker', () => {
  afterEach(() => {
    vi.doUnmock('../../packages/core/src/failover/plan.ts')
    vi.resetModules()
  })

  const first = scenarios[0] as (typeof scenarios)[number]

  it('explores the same states in the same order whenever it is run', () => {
    const [once, again] = [1, 2].map(() => explore(clusterOf(first), rulesOf(first), bounds))
    expect(again).toEqual(once)
  })

  it('prints the shortest path to a takeover from an instance that lives', async () => {
    vi.resetModules()
    vi.doMock('../../packages/core/src/failover/plan.ts', async (importOriginal) => ({
      ...(await importOriginal<object>()),
      isCrashed: (_: unknown, { state }: ShardState) => state === 'running',
    }))
    const mutant = { ...(await import('./explore.ts')), ...(await import('./scenarios.ts')) }
    const exploration = mutant.explore(mutant.clusterOf(first), mutant.rulesOf(first), bounds)
    expect(report(first, exploration, 1).split('\n').slice(0, -1)).toEqual([
      `${first.name}: VIOLATION: shard 1 runs on 10.0.0.1@-@1-aaaaaaaa as 1-0, but its state says otherwise`,
      '  then, everybody seeing everything:',
      '    - the next fire time comes',
      '    - a claims shard 1 for the fire time 1000000',
    ])
  }, 60_000)
})
