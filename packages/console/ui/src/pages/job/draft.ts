/** A configuration while it is being edited: texts in fields, and what they change. */
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

/** Those that are absent, not empty, when there is nothing in the field. */
const absentKeys: ReadonlySet<TextKey> = new Set([
  'cron',
  'timeZone',
  'jobShardingStrategyType',
  'jobExecutorThreadPoolSizeProviderType',
  'jobErrorHandlerType',
  'label',
])

export interface Draft {
  readonly texts: Readonly<Record<TextKey | NumberKey, string>>
  readonly flags: Readonly<Record<FlagKey, boolean>>
  /** Names of listeners, with commas between. */
  readonly listeners: string
  readonly props: readonly { readonly key: string; readonly value: string }[]
}

export function draftOf(configuration: JobConfiguration): Draft {
  const texts = Object.fromEntries(
    [...textKeys, ...numberKeys].map((key) => [key, String(configuration[key] ?? '')]),
  ) as Draft['texts']
  const flags = Object.fromEntries(
    flagKeys.map((key) => [key, configuration[key]]),
  ) as Draft['flags']
  return {
    texts,
    flags,
    listeners: configuration.jobListenerTypes.join(', '),
    props: Object.entries(configuration.props).map(([key, value]) => ({ key, value })),
  }
}

/** Only what is different from what is stored. A number that is none is sent as it stands, to be refused. */
export function changesOf(draft: Draft, stored: JobConfiguration): JobChanges {
  const before = draftOf(stored)
  const changes: Record<string, unknown> = {}
  for (const key of textKeys) {
    const text = draft.texts[key]
    if (text === before.texts[key]) continue
    changes[key] = text === '' && absentKeys.has(key) ? null : text
  }
  for (const key of numberKeys) {
    if (draft.texts[key] !== before.texts[key]) changes[key] = Number(draft.texts[key])
  }
  for (const key of flagKeys) {
    if (draft.flags[key] !== before.flags[key]) changes[key] = draft.flags[key]
  }
  if (draft.listeners !== before.listeners) {
    changes['jobListenerTypes'] = draft.listeners.split(/[\s,，]+/u).filter((each) => each !== '')
  }
  const props = propsOf(draft)
  if (JSON.stringify(props) !== JSON.stringify(propsOf(before))) changes['props'] = props
  return changes
}

function propsOf({ props }: Draft): Record<string, string> {
  return Object.fromEntries(
    props.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  )
}
