/** The history databases. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { DataSourceBody, DataSourceEntry } from '../../../src/contract/data-sources.ts'
import { call } from '../api/call.ts'
import { Button } from '../components/button.tsx'
import { Empty, Loading } from '../components/conditions.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { TextField } from '../components/field.tsx'
import { t } from '../i18n/i18n.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { chooseDataSource, dataSourceName } from '../tab/selection.ts'
import { dataSourcesChanged } from '../state/registries.ts'
import { useResource } from '../state/resource.ts'
import { mayAct } from '../state/session.ts'
import { printable } from '../text/printable.ts'
import { actionsColumn, nameColumn } from './connection-columns.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { PageHead } from './page-head.tsx'
import { Trouble } from './trouble.tsx'

export function DataSourcesPage(): VNode {
  useTitle(t('nav.dataSources'))
  useTopics({})
  const edited = useSignal<DataSourceEntry | 'new' | undefined>(undefined)
  const { data, error, reload } = useResource(`sources ${dataSourcesChanged.value}`, (signal) =>
    call('listDataSources', { signal }),
  )
  return (
    <>
      <PageHead title={t('nav.dataSources')} below={t('sources.text')}>
        <Button
          kind="main"
          icon="plus"
          reason={mayAct.value ? undefined : t('reason.guest')}
          onClick={() => (edited.value = 'new')}
        >
          {t('sources.add')}
        </Button>
      </PageHead>
      {error !== undefined && <Trouble error={error} onRetry={reload} />}
      {error === undefined && data === undefined && <Loading lines={4} />}
      {data?.length === 0 && (
        <Empty icon="database" title={t('sources.none')}>
          <p>{t('sources.none.text')}</p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={t('nav.dataSources')}
          columns={columns((entry) => (edited.value = entry))}
          rows={data}
          keyOf={({ name }) => name}
        />
      )}
      {edited.value !== undefined && (
        <SourceDialog
          entry={edited.value === 'new' ? undefined : edited.value}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </>
  )
}

function columns(edit: (entry: DataSourceEntry) => void): readonly Column<DataSourceEntry>[] {
  return [
    nameColumn(),
    { key: 'type', title: t('sources.type'), cell: ({ type }) => printable(type) },
    {
      key: 'url',
      title: t('sources.url'),
      class: 'wide',
      cell: ({ url }) => <code class="cut">{printable(url)}</code>,
    },
    {
      key: 'user',
      title: t('login.username'),
      class: 'wide',
      cell: ({ username }) => (username === undefined ? '–' : printable(username)),
    },
    actionsColumn({
      isCurrent: ({ name, activated }) =>
        dataSourceName.value === undefined ? activated : dataSourceName.value === name,
      choose: ({ name }) => {
        chooseDataSource(name)
        void call('connectDataSource', { body: { name } }).finally(changed)
      },
      edit,
      consequence: ({ name }) => t('will.forgetSource', { name: printable(name) }),
      forget: ({ name }) => call('removeDataSource', { body: { name } }),
      onForgotten: changed,
    }),
  ]
}

function changed(): void {
  dataSourcesChanged.value += 1
}

function SourceDialog(props: {
  readonly entry: DataSourceEntry | undefined
  readonly onClose: () => void
}): VNode {
  const { entry, onClose } = props
  const name = useSignal(entry?.name ?? '')
  const url = useSignal(entry?.url ?? '')
  const username = useSignal(entry?.username ?? '')
  const password = useSignal('')
  const body = (): DataSourceBody => ({
    name: name.value,
    url: url.value,
    ...(username.value === '' ? {} : { username: username.value }),
    ...(password.value === '' ? {} : { password: password.value }),
  })
  const isMissing = [name, url].some(({ value }) => value.trim() === '')
  return (
    <ConnectionDialog
      title={t(entry === undefined ? 'sources.add' : 'sources.edit')}
      missing={isMissing ? t('connection.missing') : undefined}
      onTest={() => call('testDataSource', { body: body() })}
      onSave={async () => {
        await call('saveDataSource', { body: body() })
        changed()
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
        label={t('sources.url')}
        hint={t('sources.url.hint')}
        mono
        value={url.value}
        onInput={(value) => (url.value = value)}
      />
      <TextField
        label={t('login.username')}
        value={username.value}
        onInput={(value) => (username.value = value)}
      />
      <TextField
        label={t('login.password')}
        type="password"
        autocomplete="new-password"
        hint={t(entry?.hasPassword === true ? 'registry.digestKept' : 'sources.password.hint')}
        value={password.value}
        onInput={(value) => (password.value = value)}
      />
    </ConnectionDialog>
  )
}
