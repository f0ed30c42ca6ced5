import type { VNode } from 'preact'

import type { StatusChange } from '../../../../src/contract/history.ts'
import { call } from '../../api/call.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { isKey, t } from '../../i18n/i18n.ts'
import { messageText } from '../../i18n/message-text.ts'
import { toJob } from '../../state/links.ts'
import { numberIn, useFilters } from '../../state/page.ts'
import { dataSourceName, registryName } from '../../tab/selection.ts'
import { printable, shortened } from '../../text/printable.ts'
import { ranges } from '../../text/ranges.ts'
import { Trouble } from '../trouble.tsx'
import { More } from './executions.tsx'
import { JobFilter, TextFilter, WindowFilter } from './filters.tsx'
import { usePaged } from './paged.ts'

const states = ['TASK_STAGING', 'TASK_RUNNING', 'TASK_FINISHED', 'TASK_ERROR', 'TASK_LOST'] as const

const tones: Readonly<Record<string, Tone>> = {
  TASK_STAGING: 'idle',
  TASK_RUNNING: 'info',
  TASK_FINISHED: 'good',
  TASK_ERROR: 'bad',
  TASK_LOST: 'bad',
}

export function StatusChanges(): VNode {
  const filters = useFilters()
  const query = {
    jobName: filters.get('job'),
    state: filters.get('state'),
    address: filters.get('address'),
    shard: numberIn(filters.get('shard')),
    taskId: filters.get('taskId'),
    from: numberIn(filters.get('from')),
    to: numberIn(filters.get('to')),
  }
  const given = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  )
  const key = JSON.stringify([given, registryName.value, dataSourceName.value])
  const paged = usePaged<StatusChange, string>(key, (cursor) =>
    call('listStatusChanges', { query: { ...given, ...(cursor === undefined ? {} : { cursor }) } }),
  )
  return (
    <section class="card" aria-labelledby="statuses-title">
      <header class="card-head">
        <h2 id="statuses-title">{t('history.statuses')}</h2>
      </header>
      <div class="filter-fields">
        <JobFilter filters={filters} />
        <SelectField
          label={t('status.state')}
          value={filters.get('state')}
          options={[
            { value: '', title: t('filter.any') },
            ...states.map((value) => ({ value, title: t(`task.${value}`) })),
          ]}
          onChange={(state) => filters.set({ state })}
        />
        <TextFilter filters={filters} name="address" />
        <TextFilter filters={filters} name="shard" />
        <TextFilter filters={filters} name="taskId" />
        <WindowFilter filters={filters} />
      </div>
      {paged.error !== undefined && <Trouble error={paged.error} onRetry={paged.reload} />}
      {paged.rows.length > 0 && (
        <DataTable
          label={t('history.statuses')}
          columns={columns()}
          rows={paged.rows}
          keyOf={({ id }) => id}
        />
      )}
      <More paged={paged} />
    </section>
  )
}

const longestMessage = 120

function columns(): readonly Column<StatusChange>[] {
  return [
    {
      key: 'time',
      title: t('status.time'),
      cell: ({ creationTime }) => <Moment at={creationTime} />,
    },
    {
      key: 'job',
      title: t('filter.job'),
      cell: ({ jobName }) => <a href={toJob(jobName)}>{printable(jobName)}</a>,
    },
    {
      key: 'shards',
      title: t('jobs.shards'),
      class: 'wide',
      cell: ({ shardingItems }) => ranges(shardingItems),
    },
    {
      key: 'state',
      title: t('status.state'),
      cell: ({ state }) => {
        const key = `task.${state}`
        return <Badge tone={tones[state] ?? 'idle'}>{isKey(key) ? t(key) : printable(state)}</Badge>
      },
    },
    {
      key: 'slave',
      title: t('filter.address'),
      class: 'wide',
      cell: (row) => printable(row.slaveId),
    },
    {
      key: 'message',
      title: t('status.message'),
      class: 'wide cause',
      cell: ({ messageParts, message }) => (
        <span class="cut hostile">
          {shortened(printable(messageText(messageParts, message)), longestMessage)}
        </span>
      ),
    },
  ]
}
