/** Java does some things only while it holds one of Curator's latches; so do we, in a mixed job. */
import type { RegistrySession } from '../registry/registry-session.ts'

/** The latch may be held by somebody who never lets go: then try again later. */
const timeout = 10_000

/** Acts while holding the latch, and releases it afterwards; answers whether the latch was gained in time. */
export function inLatch(
  session: RegistrySession,
  path: string,
  act: (latchNode: string) => Promise<void>,
): Promise<boolean> {
  return session.client.inLatch(path, timeout, act)
}
