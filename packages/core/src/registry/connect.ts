/** From options to a registry: the one place that knows which registries there are. */
import type { ResolvedRegistryOptions } from '../config/registry-options.ts'
import type { RegistryClient } from './registry-client.ts'
import { connectZooKeeper, type Environment, type RaisedTimeout } from './zookeeper/connect.ts'

export type { Environment, RaisedTimeout }

export function connect(
  options: ResolvedRegistryOptions,
  environment: Environment,
  timeoutRaised: (raised: RaisedTimeout) => void = () => {},
): Promise<RegistryClient> {
  return connectZooKeeper(options, environment, timeoutRaised)
}
