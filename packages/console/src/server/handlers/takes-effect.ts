/** When a change takes effect on running instances; docs/configuration.md describes the same for each key. */
import type { JobConfiguration } from '@elasticjob/core'
import { maskTree } from '@elasticjob/core/internal'
import type { ConfigurationChange as CoreChange } from '@elasticjob/core/operations'

import type { ConfigurationChange, TakesEffect } from '../../contract/configuration.ts'

const effects: Readonly<Record<keyof JobConfiguration, TakesEffect>> = {
  jobName: 'never',
  cron: 'now',
  timeZone: 'now',
  shardingTotalCount: 'resharding',
  jobShardingStrategyType: 'resharding',
  shardingItemParameters: 'next-run',
  jobParameter: 'next-run',
  props: 'next-run',
  jobErrorHandlerType: 'next-run',
  jobExecutorThreadPoolSizeProviderType: 'next-run',
  jobListenerTypes: 'next-run',
  misfire: 'next-run',
  failover: 'next-run',
  monitorExecution: 'next-run',
  staticSharding: 'now',
  maxTimeDiffSeconds: 'now',
  reconcileIntervalMinutes: 'now',
  disabled: 'restart',
  overwrite: 'restart',
  jobExtraConfigurations: 'restart',
  description: 'never',
  label: 'restart',
}

/** Values are masked: the difference shows that a secret changed, not its value. */
export function changesOf(changes: readonly CoreChange[]): ConfigurationChange[] {
  return changes.map(({ key, from, to }) => ({
    key,
    from: maskTree(from),
    to: maskTree(to),
    takesEffect: effects[key],
  }))
}
