import type { VNode } from 'preact'

import type { Execution } from '../../../../src/contract/history.ts'
import type { RunOutcome, RunSource } from '../../../../src/contract/jobs.ts'
import { call } from '../../api/call.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Empty, Loading } from '../../components/conditions.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { t } from '../../i18n/i18n.ts'
import { toJob, toRun } from '../../state/links.ts'
import { numberIn, useFilters } from '../../state/page.ts'
import { dataSourceName, registryName } from '../../tab/selection.ts'
import { outcomeTone } from '../../state/tones.ts'
import { printable, shortened } from '../../text/printable.ts'
import { span } from '../../time/moments.ts'
import { Trouble } from '../trouble.tsx'
import { JobFilter, TextFilter, WindowFilter } from './filters.tsx'
import { usePaged } from './paged.ts'

const outcomes: readonly RunOutcome[] = [
  'running',
  'success',
  'failure',
  'timeout',
  'lost',
  'aborted',
  'stopped',
  'not-started',
]
const sources: readonly RunSource[] = ['cron', 'trigger', 'misfire', 'failover']

/** Of all jobs, or of one. */
export function Executions({ jobName }: { readonly jobName?: string }): VNode {
  const filters = useFilters()
  const job = jobName ?? filters.get('job')
  const query = {
    jobName: job === '' ? undefined : job,
    outcome: filters.get('outcome'),
    runSource: filters.get('source'),
    address: filters.get('address'),
    shard: numberIn(filters.get('shard')),
    from: numberIn(filters.get('from')),
    to: numberIn(filters.get('to')),
  }
  const given = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  )
  const key = JSON.stringify([given, registryName.value, dataSourceName.value])
  const paged = usePaged<Execution, string>(key, (cursor) =>
    call('listExecutions', { query: { ...given, ...(cursor === undefined ? {} : { cursor }) } }),
  )
  return (
    <section class="card" aria-labelledby="executions-title">
      <header class="card-head">
        <h2 id="executions-title">{t('history.executions')}</h2>
        <Button icon="reshard" onClick={paged.reload}>
          {t('action.refresh')}
        </Button>
      </header>
      <div class="filter-fields">
        {jobName === undefined && <JobFilter filters={filters} />}
        <SelectField
          label={t('run.outcome')}
          value={filters.get('outcome')}
          options={[
            { value: '', title: t('filter.any') },
            { value: 'failure,timeout,lost', title: t('filter.failures') },
            ...outcomes.map((value) => ({ value, title: t(`outcome.${value}`) })),
          ]}
          onChange={(outcome) => filters.set({ outcome })}
        />
        <SelectField
          label={t('run.source')}
          value={filters.get('source')}
          options={[
            { value: '', title: t('filter.any') },
            ...sources.map((value) => ({ value, title: t(`source.${value}`) })),
          ]}
          onChange={(source) => filters.set({ source })}
        />
        <TextFilter filters={filters} name="address" />
        <TextFilter filters={filters} name="shard" />
        <WindowFilter filters={filters} />
      </div>
      {paged.error !== undefined && <Trouble error={paged.error} onRetry={paged.reload} />}
      {paged.rows.length > 0 && (
        <DataTable
          label={t('history.executions')}
          columns={columns(jobName === undefined)}
          rows={paged.rows}
          keyOf={({ id }) => id}
        />
      )}
      <More paged={paged} />
    </section>
  )
}

/** The footer of a list that is loaded page by page. */
export function More(props: {
  readonly paged: {
    readonly rows: readonly unknown[]
    readonly error: unknown
    readonly isLoading: boolean
    readonly more: (() => void) | undefined
  }
}): VNode | null {
  const { rows, error, isLoading, more } = props.paged
  if (isLoading) return <Loading lines={rows.length === 0 ? 6 : 1} />
  if (more !== undefined) {
    return (
      <div class="more">
        <Button icon="down" onClick={more}>
          {t('action.more')}
        </Button>
      </div>
    )
  }
  if (rows.length > 0 || error !== undefined) return null
  return <Empty icon="history" title={t('history.none')} />
}

const longestCause = 90

function columns(withJob: boolean): readonly Column<Execution>[] {
  return [
    {
      key: 'startTime',
      title: t('run.began'),
      cell: ({ id, startTime }) => (
        <a href={toRun(id)}>
          <Moment at={startTime} />
        </a>
      ),
    },
    ...(withJob
      ? [
          {
            key: 'job',
            title: t('filter.job'),
            class: 'middle',
            cell: ({ jobName }: Execution) => <a href={toJob(jobName)}>{printable(jobName)}</a>,
          },
        ]
      : []),
    { key: 'shard', title: t('filter.shard'), class: 'number', cell: (run) => run.shardingItem },
    {
      key: 'outcome',
      title: t('run.outcome'),
      cell: ({ outcome }) => <Badge tone={outcomeTone(outcome)}>{t(`outcome.${outcome}`)}</Badge>,
    },
    {
      key: 'duration',
      title: t('run.took'),
      class: 'number middle',
      cell: ({ duration }) => (duration === undefined ? '–' : span(duration)),
    },
    {
      key: 'source',
      title: t('run.source'),
      class: 'wide',
      cell: ({ source, details }) =>
        `${t(`source.${source}`)}${details !== undefined && details.attempt > 1 ? ` · ${details.attempt}` : ''}`,
    },
    { key: 'ip', title: t('filter.address'), class: 'wide', cell: ({ ip }) => printable(ip) },
    {
      key: 'cause',
      title: t('run.cause'),
      class: 'wide cause',
      cell: ({ failureCause }) => {
        const [first = ''] = (failureCause ?? '').split('\n')
        return <span class="cut hostile bad-ink">{shortened(printable(first), longestCause)}</span>
      },
    },
  ]
}
