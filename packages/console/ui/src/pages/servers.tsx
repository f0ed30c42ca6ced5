/** All servers, or all instances, with their jobs and shards. */
import type { VNode } from 'preact'

import type { InstanceEntry, ServerEntry } from '../../../src/contract/servers.ts'
import { serverActions } from '../actions/server-actions.ts'
import { call } from '../api/call.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Badge } from '../components/badge.tsx'
import { Empty, Loading } from '../components/conditions.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { TextField } from '../components/field.tsx'
import { Tabs } from '../components/tabs.tsx'
import { t } from '../i18n/i18n.ts'
import { servers, serversLeft } from '../live/live.ts'
import { to, toJob, toServer } from '../state/links.ts'
import { useFilters, useTitle, useTopics } from '../state/page.ts'
import { registryName } from '../tab/selection.ts'
import { useResource } from '../state/resource.ts'
import { matches } from '../text/matches.ts'
import { instanceName, printable } from '../text/printable.ts'
import { PageHead } from './page-head.tsx'
import { readingText } from './reading-text.ts'
import { Trouble } from './trouble.tsx'

export function ServersPage(): VNode {
  useTitle(t('nav.servers'))
  useTopics({ servers: true })
  const filters = useFilters()
  const isInstances = filters.get('view') === 'instances'
  const search = filters.get('search')
  const all = servers.value
  return (
    <>
      <PageHead
        title={t('nav.servers')}
        below={
          all === undefined
            ? readingText()
            : t('servers.count', { n: all.size + serversLeft.value })
        }
      />
      <Tabs
        label={t('nav.servers')}
        current={to('/servers', isInstances ? { view: 'instances' } : {})}
        tabs={[
          { href: to('/servers'), title: t('servers.servers') },
          { href: to('/servers', { view: 'instances' }), title: t('servers.instances') },
        ]}
      />
      <div class="filters">
        <TextField
          label={t('servers.search')}
          hideLabel
          type="search"
          placeholder={t('servers.search')}
          value={search}
          onInput={(value) => filters.set({ search: value })}
        />
      </div>
      {isInstances ? <Instances search={search} /> : <Servers search={search} />}
    </>
  )
}

function Servers({ search }: { readonly search: string }): VNode {
  const all = servers.value
  if (all === undefined) return <Loading />
  const rows = [...all.values()]
    .filter(({ serverIp }) => matches(serverIp, search))
    .toSorted((a, b) => rank(a) - rank(b) || (a.serverIp < b.serverIp ? -1 : 1))
  if (rows.length === 0 && serversLeft.value > 0) return <Loading />
  if (rows.length === 0) {
    return (
      <Empty icon="servers" title={t(all.size === 0 ? 'servers.none' : 'servers.noMatch')}>
        {all.size === 0 && <p>{t('servers.none.text')}</p>}
      </Empty>
    )
  }
  return (
    <DataTable
      label={t('servers.servers')}
      columns={serverColumns()}
      rows={rows}
      keyOf={({ serverIp }) => serverIp}
    />
  )
}

/** Servers that are gone come last: there can be thousands of them. */
function rank({ instancesNum }: ServerEntry): number {
  return instancesNum === 0 ? 1 : 0
}

export function ServerBadge({ server }: { readonly server: ServerEntry }): VNode {
  if (server.instancesNum === 0) return <Badge tone="bad">{t('server.CRASHED')}</Badge>
  if (server.disabledJobsNum === server.jobsNum) {
    return <Badge tone="idle">{t('server.DISABLED')}</Badge>
  }
  if (server.pausedJobsNum === server.jobsNum)
    return <Badge tone="warn">{t('server.PAUSED')}</Badge>
  if (server.disabledJobsNum + server.pausedJobsNum + server.crashedJobsNum > 0) {
    return <Badge tone="warn">{t('server.partly')}</Badge>
  }
  if (server.runningNum > 0) return <Badge tone="info">{t('server.RUNNING')}</Badge>
  return <Badge tone="good">{t('server.READY')}</Badge>
}

function serverColumns(): readonly Column<ServerEntry>[] {
  return [
    {
      key: 'server',
      title: t('server.address'),
      class: 'main',
      cell: ({ serverIp }) => <a href={toServer(serverIp)}>{printable(serverIp)}</a>,
    },
    { key: 'state', title: t('jobs.state'), cell: (server) => <ServerBadge server={server} /> },
    {
      key: 'instances',
      title: t('jobs.instances'),
      class: 'number',
      cell: ({ instancesNum }) => instancesNum,
    },
    { key: 'jobs', title: t('nav.jobs'), class: 'number middle', cell: ({ jobsNum }) => jobsNum },
    {
      key: 'shards',
      title: t('jobs.shards'),
      class: 'number wide',
      cell: ({ shardsNum, runningNum }) =>
        runningNum > 0 ? (
          <span title={t('jobs.running', { n: runningNum })}>
            <b class="info-ink">{runningNum}</b> / {shardsNum}
          </span>
        ) : (
          shardsNum
        ),
    },
    {
      key: 'off',
      title: t('servers.off'),
      class: 'wide',
      cell: ({ disabledJobsNum, pausedJobsNum, crashedJobsNum }) =>
        [
          disabledJobsNum > 0 && t('servers.disabled', { n: disabledJobsNum }),
          pausedJobsNum > 0 && t('servers.paused', { n: pausedJobsNum }),
          crashedJobsNum > 0 && t('servers.gone', { n: crashedJobsNum }),
        ]
          .filter((each) => each !== false)
          .join(', '),
    },
    {
      key: 'actions',
      title: t('table.actions'),
      class: 'actions',
      cell: (server) => (
        <span class="row-actions">
          {serverActions(server)
            .filter(({ id }) => isOffered(id, server))
            .map((action) => (
              <ActionButton bare key={action.id} action={action} about={server.serverIp} />
            ))}
        </span>
      ),
    },
  ]
}

/** Of two opposite actions, only the one that applies; all other actions. */
export function isOffered(id: string, server: ServerEntry): boolean {
  switch (id) {
    case 'pause':
      return server.pausedJobsNum < server.jobsNum
    case 'resume':
      return server.pausedJobsNum > 0
    case 'disable':
      return server.disabledJobsNum < server.jobsNum
    case 'enable':
      return server.disabledJobsNum > 0
    default:
      return true
  }
}

function Instances({ search }: { readonly search: string }): VNode {
  const all = servers.value
  // Loaded again when a server gains or loses an instance, but only after the list is complete: before that, the
  // server has no answer yet, or a different one with every piece of the list.
  const there = [...(all?.values() ?? [])].map((each) => each.instances.join()).join()
  const { data, error, reload } = useResource(
    all === undefined || serversLeft.value > 0
      ? undefined
      : `instances ${registryName.value ?? ''} ${there}`,
    (signal) => call('listInstances', { signal }),
  )
  if (error !== undefined) return <Trouble error={error} onRetry={reload} />
  if (data === undefined) return <Loading />
  const rows = data.filter(({ instance }) => matches(instance, search))
  if (rows.length === 0) return <Empty icon="servers" title={t('servers.noMatch')} />
  return (
    <DataTable
      label={t('servers.instances')}
      columns={instanceColumns()}
      rows={rows}
      keyOf={({ instance }) => instance}
    />
  )
}

const namedJobs = 4

function instanceColumns(): readonly Column<InstanceEntry>[] {
  return [
    {
      key: 'instance',
      title: t('run.instance'),
      class: 'main',
      cell: ({ instance, java }) => (
        <span title={printable(instance)}>
          {instanceName(instance)} {java && <span class="mark">Java</span>}
        </span>
      ),
    },
    {
      key: 'server',
      title: t('server.address'),
      class: 'middle',
      cell: ({ server }) => <a href={toServer(server)}>{printable(server)}</a>,
    },
    {
      key: 'jobs',
      title: t('nav.jobs'),
      class: 'wide',
      cell: ({ jobNames }) => (
        <span class="cut">
          {jobNames.slice(0, namedJobs).map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <a href={toJob(name)}>{printable(name)}</a>
            </span>
          ))}
          {jobNames.length > namedJobs &&
            ` ${t('confirm.more', { n: jobNames.length - namedJobs })}`}
        </span>
      ),
    },
    {
      key: 'leads',
      title: t('servers.leads'),
      class: 'number wide',
      cell: ({ leads }) => leads.length,
    },
    { key: 'shards', title: t('jobs.shards'), class: 'number', cell: ({ shardsNum }) => shardsNum },
    {
      key: 'running',
      title: t('servers.running'),
      class: 'number',
      cell: ({ runningNum }) => runningNum,
    },
  ]
}
