import { expect, it } from 'vitest'

import { runAgainstHostileServer } from '../fuzz/hostile-run.ts'

it('ZooKeeper client: a hostile server causes typed errors only', async () => {
  const run = await runAgainstHostileServer({ frames: 1500, seed: 20_261_115 })
  expect(run.untyped).toEqual([])
  // Checks that the run got past the handshake: sound answers, unknown error numbers, lost writes.
  expect(run.answered).toBeGreaterThan(500)
  expect(Object.keys(run.errors)).toEqual(
    expect.arrayContaining(['ZK_UNKNOWN_ERROR', 'ZK_CONNECTION_LOSS', 'ZK_SESSION_EXPIRED']),
  )
}, 60_000)
