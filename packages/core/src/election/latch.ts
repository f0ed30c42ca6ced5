/** Java does some work only while it holds one of Curator's latches; in mixed mode native instances do the same. */
import type { RegistrySession } from '../registry/registry-session.ts'

/** A client may hold the latch forever: after this time, give up and try again later. */
const timeout = 10_000

/** Runs `act` while holding the latch, and releases it afterwards; returns whether the latch was acquired in time. */
export function inLatch(
  session: RegistrySession,
  path: string,
  act: (latchNode: string) => Promise<void>,
): Promise<boolean> {
  return session.client.inLatch(path, timeout, act)
}
