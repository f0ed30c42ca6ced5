/** Java does some things only while it holds one of Curator's latches; so do we, in a mixed job. */
import { LeaderLatch } from '@elasticjob/zookeeper'

import type { RegistrySession } from '../registry/registry-session.ts'

/** The latch may be held by somebody who never lets go: then try again later. */
const patience = 10_000

/**
 * Does something while holding the latch, and lets go of it afterwards; answers whether it was gained in
 * time. `latchNode` is what a transaction has to check: it goes with our place in the line.
 */
export async function inLatch(
  session: RegistrySession,
  path: string,
  act: (latchNode: string) => Promise<void>,
): Promise<boolean> {
  const latch = new LeaderLatch(session.client, path)
  try {
    await latch.start()
    if (!(await isHeld(latch, session.clock)) || latch.node === undefined) return false
    await act(latch.node)
    return true
  } finally {
    await latch.stop()
  }
}

/** Resolves with whether the latch was gained in time. */
function isHeld(latch: LeaderLatch, clock: RegistrySession['clock']): Promise<boolean> {
  if (latch.hasLeadership) return Promise.resolve(true)
  return new Promise((resolve) => {
    const timer = clock.setTimer(() => resolve(false), patience)
    latch.once('leadership:gained', () => {
      timer.cancel()
      resolve(true)
    })
  })
}
