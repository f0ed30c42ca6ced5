/** One job on one server, as a row on the page of either: state, shards and actions. */
import type { VNode } from 'preact'

import type { ServerStatus } from '../../../src/contract/jobs.ts'
import type { ServerJob } from '../../../src/contract/servers.ts'
import { serverJobActions } from '../actions/server-actions.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Badge } from '../components/badge.tsx'
import type { Column } from '../components/data-table.tsx'
import { t } from '../i18n/i18n.ts'
import { serverTone } from '../state/tones.ts'
import { ranges } from '../text/ranges.ts'

interface ProcessStatus {
  readonly status: ServerStatus
  readonly shards: readonly number[]
}

/** `pair`: the server and the job of a row. */
export function serverJobColumns<Row extends ProcessStatus>(
  pair: (row: Row) => { readonly server: string; readonly job: ServerJob },
  onDone?: () => void,
): readonly Column<Row>[] {
  return [
    {
      key: 'status',
      title: t('jobs.state'),
      cell: ({ status }) => <Badge tone={serverTone(status)}>{t(`server.${status}`)}</Badge>,
    },
    {
      key: 'shards',
      title: t('jobs.shards'),
      class: 'wide',
      cell: ({ shards }) => (shards.length === 0 ? '–' : ranges(shards)),
    },
    {
      key: 'instances',
      title: t('jobs.instances'),
      class: 'number wide',
      cell: (row) => pair(row).job.instanceCount,
    },
    {
      key: 'actions',
      title: t('table.actions'),
      class: 'actions',
      cell: (row) => <RowActions {...pair(row)} onDone={onDone} />,
    },
  ]
}

function RowActions(props: {
  readonly server: string
  readonly job: ServerJob
  readonly onDone: (() => void) | undefined
}): VNode {
  const { server, job, onDone } = props
  return (
    <span class="row-actions">
      {serverJobActions(server, job).map((action) => (
        <ActionButton
          bare
          key={action.id}
          action={action}
          about={`${job.jobName} · ${server}`}
          {...(onDone === undefined ? {} : { onDone })}
        />
      ))}
    </span>
  )
}
