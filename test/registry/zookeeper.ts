/** A registry in ZooKeeper: embedded, on one server, or in an ensemble whose servers the clients share. */
import { once } from 'node:events'

import { openAcl, ZooKeeper } from '@elasticjob/zookeeper'

import { ZooKeeperRegistry } from '../../packages/core/src/registry/zookeeper/zookeeper-registry.ts'
import { loseNextReply } from '../zookeeper/harness/lose-reply.ts'
import { startTarget, type Target, type TargetKind } from '../zookeeper/harness/target.ts'
import { TcpProxy } from '../zookeeper/harness/tcp-proxy.ts'
import type { TestedClient, TestedClientOptions, TestedRegistry } from './tested-registry.ts'

const multi = 14
const quickReconnect = { initialDelay: 5, maxDelay: 20 } as const
const lease = { serverTickTime: 500, abortTime: 200 } as const

export async function startZooKeeper(kind: TargetKind): Promise<TestedRegistry> {
  const target = await startTarget(kind)
  const ports = [...target.connectString.matchAll(/:(\d+)/g)].map(([, port]) => Number(port))
  let clients = 0
  return {
    connect: (options) => connect(target, ports[clients++ % ports.length] ?? 0, options),
    stop: () => target.stop(),
  }
}

async function connect(
  target: Target,
  port: number,
  { sessionTimeout = 15_000 }: TestedClientOptions = {},
): Promise<TestedClient> {
  const proxy = await TcpProxy.start({ target: port, framed: true })
  const servers = proxy.connectString
  const settings = { servers, sessionTimeout, lease, reconnect: quickReconnect }
  const client = await ZooKeeper.connect(settings)
  const pass = async (): Promise<void> => {
    proxy.onClientFrame = undefined
    proxy.onServerFrame = undefined
    await proxy.accept()
  }
  return {
    client: new ZooKeeperRegistry(client, openAcl),
    cut: async () => {
      const suspended = once(client, 'session:suspended')
      proxy.refuse()
      proxy.dropAll()
      await suspended
    },
    restore: pass,
    loseNextAnswer: () => void loseNextReply(proxy, multi),
    expire: () => target.expireSession(client.sessionId, client.sessionPassword),
    close: async () => {
      // The client says good-bye through the proxy.
      await pass()
      await client.close()
      await proxy.stop()
    },
  }
}
