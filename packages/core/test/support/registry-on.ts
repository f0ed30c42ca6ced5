import { openAcl, type ZooKeeper } from '@elasticjob/zookeeper'

import type { RegistryClient } from '../../src/registry/registry-client.ts'
import { ZooKeeperRegistry } from '../../src/registry/zookeeper/zookeeper-registry.ts'

/** The registry behind a client that a test has connected. */
export function registryOn(client: ZooKeeper): RegistryClient {
  return new ZooKeeperRegistry(client, openAcl)
}
