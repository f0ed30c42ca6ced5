/** A configuration that is being edited: the texts in the fields, and the changes they make. */
import type { JobChanges, JobConfiguration } from '../../../../src/contract/configuration.ts'

const textKeys = [
  'cron',
  'timeZone',
  'shardingItemParameters',
  'jobParameter',
  'jobShardingStrategyType',
  'jobExecutorThreadPoolSizeProviderType',
  'jobErrorHandlerType',
  'description',
  'label',
] as const
export const numberKeys = [
  'shardingTotalCount',
  'maxTimeDiffSeconds',
  'reconcileIntervalMinutes',
] as const
const flagKeys = [
  'monitorExecution',
  'failover',
  'misfire',
  'staticSharding',
  'disabled',
  'overwrite',
] as const

export type TextKey = (typeof textKeys)[number]
export type NumberKey = (typeof numberKeys)[number]
export type FlagKey = (typeof flagKeys)[number]

/** The keys that are absent, not empty, if the field is empty. */
const absentKeys: ReadonlySet<TextKey> = new Set([
  'cron',
  'timeZone',
  'jobShardingStrategyType',
  'jobExecutorThreadPoolSizeProviderType',
  'jobErrorHandlerType',
  'label',
])

export interface ActionPlan {
  readonly texts: Readonly<Record<TextKey | NumberKey, string>>
  readonly flags: Readonly<Record<FlagKey, boolean>>
  /** The names of listeners, comma-separated. */
  readonly listeners: string
  readonly props: readonly { readonly key: string; readonly value: string }[]
}

export function planOf(configuration: JobConfiguration): ActionPlan {
  const texts = Object.fromEntries(
    [...textKeys, ...numberKeys].map((key) => [key, String(configuration[key] ?? '')]),
  ) as ActionPlan['texts']
  const flags = Object.fromEntries(
    flagKeys.map((key) => [key, configuration[key]]),
  ) as ActionPlan['flags']
  return {
    texts,
    flags,
    listeners: configuration.jobListenerTypes.join(', '),
    props: Object.entries(configuration.props).map(([key, value]) => ({ key, value })),
  }
}

/** Only values that differ from the stored ones. An invalid number is sent as it is, so that the server refuses it. */
export function changesOf(actionPlan: ActionPlan, stored: JobConfiguration): JobChanges {
  const before = planOf(stored)
  const changes: Record<string, unknown> = {}
  for (const key of textKeys) {
    const text = actionPlan.texts[key]
    if (text === before.texts[key]) continue
    changes[key] = text === '' && absentKeys.has(key) ? null : text
  }
  for (const key of numberKeys) {
    if (actionPlan.texts[key] !== before.texts[key]) changes[key] = Number(actionPlan.texts[key])
  }
  for (const key of flagKeys) {
    if (actionPlan.flags[key] !== before.flags[key]) changes[key] = actionPlan.flags[key]
  }
  if (actionPlan.listeners !== before.listeners) {
    changes['jobListenerTypes'] = actionPlan.listeners
      .split(/[\s,，]+/u)
      .filter((each) => each !== '')
  }
  const props = propsOf(actionPlan)
  if (JSON.stringify(props) !== JSON.stringify(propsOf(before))) changes['props'] = props
  return changes
}

function propsOf({ props }: ActionPlan): Record<string, string> {
  return Object.fromEntries(
    props.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  )
}
