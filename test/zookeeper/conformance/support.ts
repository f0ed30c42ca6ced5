import { randomUUID } from 'node:crypto'
import { inject, it as plainIt } from 'vitest'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { startTarget } from '../harness/target.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import { firstPort } from './session-probe.ts'
import { TestClients, type TestServer } from './test-clients.ts'

export { expect } from 'vitest'

/**
 * The `it` of tests on a server. Each test has a root of its own on the server that tests share,
 * and its clients are checked for leaks when it is over.
 */
export function itOn<Server extends TestServer>(start: () => Promise<Server>) {
  return (
    plainIt
      .extend('start', { scope: 'worker' }, () => start)
      .extend('target', { scope: 'worker' }, async ({ start: startOnce }, { onCleanup }) => {
        const target = await startOnce()
        onCleanup(() => target.stop())
        return target
      })
      .extend('inspector', { scope: 'worker' }, async ({ target }, { onCleanup }) => {
        const inspector = await ZooKeeper.connect({ servers: target.connectString })
        onCleanup(() => inspector.close())
        return inspector
      })
      .extend('root', async ({ inspector }) => {
        const { path } = await inspector.create(`/test-${randomUUID()}`)
        return path
      })
      .extend('clients', ({ target, inspector, root }, { onCleanup }) => {
        const clients = new TestClients(target, inspector, root)
        onCleanup(() => clients.closeAll())
        return clients
      })
      // A connected client whose paths begin at the root of the test.
      .extend('zk', ({ clients }) => clients.connect())
      // Another one, with a session of its own.
      .extend('other', ({ clients }) => clients.connect())
      // A proxy in front of one server of the target.
      .extend('proxy', async ({ target, clients }, { onCleanup }) => {
        const proxy = await TcpProxy.start({
          target: firstPort(target.connectString),
          framed: true,
        })
        onCleanup(async () => {
          // Clients leave first: through a proxy that is gone they could not say good-bye.
          proxy.onClientFrame = undefined
          proxy.onServerFrame = undefined
          proxy.pass()
          await clients.closeAll()
          await proxy.stop()
        })
        return proxy
      })
      // A connected client behind that proxy.
      .extend('proxied', ({ clients, proxy }) => clients.connect({ via: proxy }))
  )
}

/** A behaviour that every target shows. */
export const it = itOn(() => startTarget(inject('target')))

const isAvailable = inject('target') === 'embedded' || inject('realZooKeeper')

/** A topic of the suite; skipped where its server cannot be started. */
export const conformance = it.describe.skipIf(!isAvailable)

/** A topic that needs a real server with a configuration of its own. */
export const specialServerConformance = it.describe.skipIf(
  !isAvailable || inject('target') !== 'standalone',
)
