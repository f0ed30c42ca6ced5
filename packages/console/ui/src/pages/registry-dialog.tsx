import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { RegistryBody, RegistryEntry } from '../../../src/contract/registries.ts'
import { call } from '../api/call.ts'
import { TextField } from '../components/field.tsx'
import { t } from '../i18n/i18n.ts'
import { forget, refusal } from '../live/live.ts'
import { registriesChanged } from '../state/registries.ts'
import { ConnectionDialog } from './connection-dialog.tsx'

export function RegistryDialog(props: {
  readonly entry: RegistryEntry | undefined
  readonly onClose: () => void
}): VNode {
  const { entry, onClose } = props
  const name = useSignal(entry?.name ?? '')
  const address = useSignal(entry?.zkAddressList ?? '')
  const namespace = useSignal(entry?.namespace ?? '')
  const digest = useSignal('')
  const source = useSignal(entry?.dataSource ?? '')
  const body = (): RegistryBody => ({
    name: name.value,
    zkAddressList: address.value,
    namespace: namespace.value,
    ...(digest.value === '' ? {} : { digest: digest.value }),
    ...(source.value === '' ? {} : { dataSource: source.value }),
  })
  const isMissing = [name, address, namespace].some(({ value }) => value.trim() === '')
  return (
    <ConnectionDialog
      title={t(entry === undefined ? 'registries.add' : 'registries.edit')}
      missing={isMissing ? t('connection.missing') : undefined}
      onTest={() => call('testRegistry', { body: body() })}
      onSave={async () => {
        await call('saveRegistry', { body: body() })
        registriesChanged.value += 1
        // There may be a registry to follow now.
        if (refusal.value !== undefined) forget()
      }}
      onClose={onClose}
    >
      <TextField
        label={t('registry.name')}
        value={name.value}
        disabled={entry !== undefined}
        onInput={(value) => (name.value = value)}
      />
      <TextField
        label={t('registry.address')}
        hint={t('registry.address.hint')}
        mono
        value={address.value}
        onInput={(value) => (address.value = value)}
      />
      <TextField
        label={t('registry.namespace')}
        mono
        value={namespace.value}
        onInput={(value) => (namespace.value = value)}
      />
      <TextField
        label={t('registry.digest')}
        type="password"
        autocomplete="new-password"
        hint={t(entry?.hasDigest === true ? 'registry.digestKept' : 'registry.digest.hint')}
        value={digest.value}
        onInput={(value) => (digest.value = value)}
      />
      <TextField
        label={t('registry.source')}
        hint={t('registry.source.hint')}
        value={source.value}
        onInput={(value) => (source.value = value)}
      />
    </ConnectionDialog>
  )
}
