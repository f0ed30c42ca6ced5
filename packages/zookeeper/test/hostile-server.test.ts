import { expect, it } from 'vitest'

import { runAgainstHostileServer } from '../fuzz/hostile-run.ts'

it('a hostile server gets typed errors out of the client and nothing else', async () => {
  const run = await runAgainstHostileServer({ frames: 1500, seed: 20_261_115 })
  expect(run.untyped).toEqual([])
  // The run has to have reached the inside: sound answers, refusals by unknown numbers, lost writes.
  expect(run.answered).toBeGreaterThan(500)
  expect(Object.keys(run.errors)).toEqual(
    expect.arrayContaining(['ZK_UNKNOWN_ERROR', 'ZK_CONNECTION_LOSS', 'ZK_SESSION_EXPIRED']),
  )
}, 60_000)
