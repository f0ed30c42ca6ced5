import { message, type Message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { poolSizeOf } from './pool-size.ts'
import { parseShardingItemParameters } from './sharding-item-parameters.ts'

/**
 * The configuration that takes effect for a stored one. A stored configuration may contain values that this package
 * does not accept. They must not keep an instance from joining, so the instance interprets them and reports warnings.
 */
export function effective(configuration: JobConfiguration): {
  readonly configuration: JobConfiguration
  readonly warnings: readonly Message[]
} {
  const { failover, monitorExecution, shardingItemParameters } = configuration
  const pool = configuration.jobExecutorThreadPoolSizeProviderType
  const warnings = parseShardingItemParameters(shardingItemParameters).problems.map((problem) =>
    message('shard-parameters-problem', { problem }),
  )
  let acted = configuration
  if (failover && !monitorExecution) {
    warnings.push(message('failover-off'))
    acted = { ...acted, failover: false }
  }
  if (pool !== undefined && poolSizeOf(pool, 1) === undefined) {
    warnings.push(message('pool-unknown', { pool }))
    acted = { ...acted, jobExecutorThreadPoolSizeProviderType: undefined }
  }
  return { configuration: acted, warnings }
}
