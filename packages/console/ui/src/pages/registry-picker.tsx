/** The selected registry of this tab, and whether its data are current. */
import type { VNode } from 'preact'

import { call } from '../api/call.ts'
import { SelectField } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { forget, freshness, registry } from '../live/live.ts'
import { route } from '../state/address.ts'
import { to } from '../state/links.ts'
import { chooseRegistry, registryName } from '../tab/selection.ts'
import { registriesChanged } from '../state/registries.ts'
import { useResource } from '../state/resource.ts'
import { printable } from '../text/printable.ts'
import { now } from '../time/clock.ts'
import { duration, nearTime } from '../time/moments.ts'

export function RegistryPicker(): VNode {
  const { data } = useResource(`registries ${registriesChanged.value}`, (signal) =>
    call('listRegistries', { signal }),
  )
  const entries = data ?? []
  const current =
    registryName.value ?? registry.value?.name ?? entries.find(({ activated }) => activated)?.name
  const { state } = freshness.value
  return (
    <div class={`registry-picker ${state}`}>
      <span class="dot" title={t(`fresh.${state}`)}>
        <span class="visually-hidden">{t(`fresh.${state}`)}</span>
      </span>
      {entries.length === 0 ? (
        <a href={to('/registries')}>{t('registry.none')}</a>
      ) : (
        <SelectField
          label={t('registry.choose')}
          hideLabel
          value={current ?? ''}
          options={entries.map(({ name, namespace }) => ({
            value: name,
            title: `${printable(name)} / ${printable(namespace)}`,
          }))}
          onChange={(name) => {
            chooseRegistry(name)
            forget()
            // The open job or server may not exist in the other registry.
            route(to('/jobs'))
          }}
        />
      )}
    </div>
  )
}

/** Outdated data must never look current. */
export function FreshnessNotice(): VNode | null {
  const { value } = freshness
  if (value.state !== 'old') return null
  const reason = value.cause === 'registry' ? registry.value?.reason : undefined
  const values = {
    time: nearTime(value.since, now.value),
    span: duration(Math.max(0, now.value - value.since)),
  }
  return (
    <div class="notice bad stale" role="alert">
      <Icon name="warn" />
      <div>
        <strong>{t(`stale.${value.cause}`, values)}</strong>
        <p>
          {t('stale.text', values)}
          {reason !== undefined && (
            <span class="hostile"> {errorText({ ...registry.value, message: reason })}</span>
          )}
        </p>
      </div>
    </div>
  )
}
