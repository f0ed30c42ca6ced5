/** One server with its jobs. */
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import type { ServerDetail, ServerJob } from '../../../src/contract/servers.ts'
import { serverActions } from '../actions/server-actions.ts'
import { call } from '../api/call.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Loading } from '../components/conditions.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { t } from '../i18n/i18n.ts'
import { servers } from '../live/live.ts'
import type { PageProps } from '../state/address.ts'
import { to, toJob } from '../state/links.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { registryName } from '../tab/selection.ts'
import { useResource } from '../state/resource.ts'
import { instanceName, printable } from '../text/printable.ts'
import { PageHead } from './page-head.tsx'
import { serverJobColumns } from './server-job-columns.tsx'
import { isOffered, ServerBadge } from './servers.tsx'
import { Trouble } from './trouble.tsx'

export function ServerPage({ params }: PageProps): VNode {
  const address = params['server'] ?? ''
  useTitle(printable(address))
  useTopics({ servers: true })
  // The list is live; the page is loaded again whenever the entry of the server changes.
  const line = JSON.stringify(servers.value?.get(address)) ?? ''
  const { data, error, reload } = useResource(
    `server ${registryName.value ?? ''} ${address}`,
    (signal) => call('showServer', { params: { server: address }, signal }),
  )
  useEffect(() => {
    if (line !== '') reload()
  }, [line])
  if (data === undefined) {
    return error === undefined ? <Loading /> : <Trouble error={error} onRetry={reload} />
  }
  return (
    <>
      <PageHead
        above={<a href={to('/servers')}>{t('nav.servers')}</a>}
        title={
          <>
            {printable(data.serverIp)} <ServerBadge server={data} />
          </>
        }
        below={data.hostName === undefined ? undefined : printable(data.hostName)}
      >
        {serverActions(data)
          .filter(({ id }) => isOffered(id, data))
          .map((action) => (
            <ActionButton key={action.id} action={action} about={data.serverIp} onDone={reload} />
          ))}
      </PageHead>
      <div class="stack">
        <InstanceList server={data} />
        <section class="card" aria-labelledby="jobs-title">
          <header class="card-head">
            <h2 id="jobs-title">{t('nav.jobs')}</h2>
          </header>
          <DataTable
            label={t('nav.jobs')}
            columns={columns(data.serverIp, reload)}
            rows={data.jobs}
            keyOf={({ jobName }) => jobName}
          />
        </section>
      </div>
    </>
  )
}

function InstanceList({ server }: { readonly server: ServerDetail }): VNode {
  return (
    <section class="card" aria-labelledby="instances-title">
      <h2 id="instances-title">{t('servers.instances')}</h2>
      {server.instances.length === 0 ? (
        <p class="soft">{t('reason.noInstanceOnServer')}</p>
      ) : (
        <ul class="instances">
          {server.instances.map((instance) => (
            <li key={instance}>
              <strong>{instanceName(instance)}</strong>{' '}
              <code class="faint">{printable(instance)}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function columns(server: string, reload: () => void): readonly Column<ServerJob>[] {
  return [
    {
      key: 'job',
      title: t('jobs.name'),
      class: 'main',
      cell: ({ jobName }) => <a href={toJob(jobName)}>{printable(jobName)}</a>,
    },
    ...serverJobColumns<ServerJob>((job) => ({ server, job }), reload),
  ]
}
