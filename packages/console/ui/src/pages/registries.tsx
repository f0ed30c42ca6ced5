/** The registries of the console. Each tab has its own selection. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { RegistryEntry } from '../../../src/contract/registries.ts'
import { call } from '../api/call.ts'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Empty, Loading } from '../components/conditions.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { forget, registry as shown } from '../live/live.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { chooseRegistry, registryName } from '../tab/selection.ts'
import { registriesChanged } from '../state/registries.ts'
import { useResource } from '../state/resource.ts'
import { mayAct } from '../state/session.ts'
import { printable } from '../text/printable.ts'
import { now } from '../time/clock.ts'
import { distance } from '../time/moments.ts'
import { actionsColumn, nameColumn } from './connection-columns.tsx'
import { PageHead } from './page-head.tsx'
import { RegistryDialog } from './registry-dialog.tsx'
import { Trouble } from './trouble.tsx'

export function RegistriesPage(): VNode {
  useTitle(t('nav.registries'))
  useTopics({})
  const edited = useSignal<RegistryEntry | 'new' | undefined>(undefined)
  const { data, error, reload } = useResource(
    `registries ${registriesChanged.value} ${shown.value?.state ?? ''}`,
    (signal) => call('listRegistries', { signal }),
  )
  return (
    <>
      <PageHead title={t('nav.registries')} below={t('registries.text')}>
        <Button
          kind="main"
          icon="plus"
          reason={mayAct.value ? undefined : t('reason.guest')}
          onClick={() => (edited.value = 'new')}
        >
          {t('registries.add')}
        </Button>
      </PageHead>
      {error !== undefined && <Trouble error={error} onRetry={reload} />}
      {error === undefined && data === undefined && <Loading lines={4} />}
      {data?.length === 0 && (
        <Empty icon="registry" title={t('registry.none')}>
          <p>{t('registries.none.text')}</p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={t('nav.registries')}
          columns={columns((entry) => (edited.value = entry))}
          rows={data}
          keyOf={({ name }) => name}
        />
      )}
      {edited.value !== undefined && (
        <RegistryDialog
          entry={edited.value === 'new' ? undefined : edited.value}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </>
  )
}

const tones: Readonly<Record<RegistryEntry['connection']['state'], Tone>> = {
  idle: 'idle',
  connecting: 'warn',
  connected: 'good',
  lost: 'bad',
}

function columns(edit: (entry: RegistryEntry) => void): readonly Column<RegistryEntry>[] {
  return [
    nameColumn(),
    {
      key: 'state',
      title: t('jobs.state'),
      cell: ({ connection: { state, since, reason = '', ...more } }) => (
        <Badge
          tone={tones[state]}
          title={`${distance(since, now.value)} ${errorText({ message: reason, ...more })}`}
        >
          {t(`connection.${state}`)}
        </Badge>
      ),
    },
    {
      key: 'address',
      title: t('registry.address'),
      class: 'wide',
      cell: ({ zkAddressList }) => <code class="cut">{printable(zkAddressList)}</code>,
    },
    {
      key: 'namespace',
      title: t('registry.namespace'),
      class: 'middle',
      cell: ({ namespace }) => <code>{printable(namespace)}</code>,
    },
    {
      key: 'digest',
      title: t('registry.digest'),
      class: 'wide',
      cell: ({ hasDigest }) => t(hasDigest ? 'registry.digestStored' : 'registry.digestNone'),
    },
    actionsColumn({
      isCurrent: ({ name, activated }) =>
        registryName.value === undefined ? activated : registryName.value === name,
      choose: ({ name }) => {
        chooseRegistry(name)
        forget()
        void call('connectRegistry', { body: { name } }).finally(changed)
      },
      edit,
      consequence: ({ name }) => t('will.forgetRegistry', { name: printable(name) }),
      forget: ({ name }) => call('removeRegistry', { body: { name } }),
      onForgotten: changed,
    }),
  ]
}

function changed(): void {
  registriesChanged.value += 1
}
