import { inject } from 'vitest'
import { it as conformanceIt } from '../conformance/support.ts'
import { CuratorPeer } from '../harness/curator-peer.ts'

export { expect } from 'vitest'

/**
 * The `it` of tests beside real Curator. Ours and Curator's see the same paths, from the root of the
 * server; each test has its own below `root`.
 */
export const it = conformanceIt
  .extend('java', { scope: 'worker' }, async ({ target }, { onCleanup }) => {
    const peer = await CuratorPeer.start(target.connectString)
    onCleanup(() => peer.stop())
    return peer
  })
  // Another process, with a session of its own.
  .extend('otherJava', { scope: 'worker' }, async ({ target }, { onCleanup }) => {
    const peer = await CuratorPeer.start(target.connectString)
    onCleanup(() => peer.stop())
    return peer
  })
  .extend('ours', ({ clients }) => clients.connect({ chroot: '' }))
  .extend('otherOurs', ({ clients }) => clients.connect({ chroot: '' }))

/** A topic; skipped where Curator cannot be started. */
export const besideCurator = it.describe.skipIf(!inject('realZooKeeper'))
