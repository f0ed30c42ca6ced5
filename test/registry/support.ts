import { randomUUID } from 'node:crypto'

import { inject, it as plainIt } from 'vitest'

import type {
  RegistryClient,
  RegistryClientEvents,
} from '../../packages/core/src/registry/registry-client.ts'
import { part, read, type NodeContent } from '../../packages/core/src/registry/transaction.ts'
import type { TestedClient, TestedClientOptions } from './tested-registry.ts'
import { startZooKeeper } from './zookeeper.ts'

export { expect } from 'vitest'

const target = inject('target')
const isAvailable = target === 'embedded' || inject('realZooKeeper')

/** The `it` of the suite. Tests share the registry; each has a node of its own below which it works. */
export const it = plainIt
  .extend('start', { scope: 'worker' }, () => () => startZooKeeper(target))
  .extend('registry', { scope: 'worker' }, async ({ start }, { onCleanup }) => {
    const registry = await start()
    onCleanup(() => registry.stop())
    return registry
  })
  .extend('connect', ({ registry }, { onCleanup }) => {
    const connected: TestedClient[] = []
    onCleanup(async () => {
      for (const one of connected.splice(0)) await one.close()
    })
    return async (options?: TestedClientOptions): Promise<TestedClient> => {
      const one = await registry.connect(options)
      connected.push(one)
      return one
    }
  })
  // A client whose connection and session a test may end.
  .extend('tested', ({ connect }) => connect())
  .extend('client', ({ tested }) => tested.client)
  // Another client, with a session of its own.
  .extend('other', async ({ connect }) => (await connect()).client)
  .extend('root', async ({ client, other }) => {
    const root = `/test-${randomUUID()}`
    await client.transact([part.create(root)])
    await other.catchUp()
    return root
  })

/** A topic of the suite; skipped where its registry cannot be started. */
export const conformance = it.describe.skipIf(!isAvailable)

/** What a node holds; undefined if it does not exist. */
export async function nodeAt(
  client: RegistryClient,
  path: string,
): Promise<NodeContent | undefined> {
  const [result] = await client.read([read.get(path)])
  if (result !== undefined && 'data' in result) return result
  if (result !== undefined && 'error' in result && result.error.code !== 'REGISTRY_NO_NODE') {
    throw result.error
  }
  return undefined
}

/** The next event of this name. */
export function next<Name extends keyof RegistryClientEvents>(
  client: RegistryClient,
  name: Name,
): Promise<RegistryClientEvents[Name]> {
  return new Promise((resolve) => {
    const heard = (...payload: RegistryClientEvents[Name]): void => {
      client.off(name, heard as never)
      resolve(payload)
    }
    client.on(name, heard as never)
  })
}

/** Ends a session, and waits for the one that takes its place. */
export async function renew(tested: TestedClient): Promise<void> {
  await tested.cut()
  await tested.expire()
  const renewed = next(tested.client, 'session:renewed')
  await tested.restore()
  await renewed
}
