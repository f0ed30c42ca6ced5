/** Creates a registry client from options: the only place that knows the available registries. */
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
