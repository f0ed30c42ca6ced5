import { expect, it } from 'vitest'

import { runHostile } from '../fuzz/hostile/hostile-run.ts'

it('server: hostile clients do not disturb other clients', async () => {
  const run = await runHostile({ frames: 10_000, seed: 20_261_115 })
  expect(run.failures).toEqual([])
  expect(run.sessionsLeft).toBe(0)
  // The good clients must have worked all the time, and received notifications of each other's writes.
  expect(run.operations).toBeGreaterThan(100)
  expect(run.events).toBeGreaterThan(run.operations)
}, 60_000)
