/** The audit log: account, action, target, time and address of each change. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { AuditEntry } from '../../../src/contract/audit.ts'
import { call } from '../api/call.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { NoPermission } from '../components/conditions.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { Moment } from '../components/moment.tsx'
import { errorText } from '../i18n/error-text.ts'
import { isKey, t } from '../i18n/i18n.ts'
import { toJob } from '../state/links.ts'
import { numberIn, useFilters, useTitle, useTopics } from '../state/page.ts'
import { mayAct } from '../state/session.ts'
import { lineDiff } from '../text/line-diff.ts'
import { printable, shortened } from '../text/printable.ts'
import { More } from './history/executions.tsx'
import { WindowFilter } from './history/filters.tsx'
import { usePaged } from './history/paged.ts'
import { Pair } from './job/shards.tsx'
import { Difference } from './job/save-dialog.tsx'
import { PageHead } from './page-head.tsx'
import { Trouble } from './trouble.tsx'

const tones = { done: 'good', failed: 'bad', refused: 'warn' } as const
const outcomes = ['done', 'failed', 'refused'] as const

export function AuditPage(): VNode {
  useTitle(t('nav.audit'))
  useTopics({})
  return (
    <>
      <PageHead title={t('nav.audit')} below={t('audit.text')} />
      {mayAct.value ? <AuditList /> : <NoPermission />}
    </>
  )
}

function AuditList(): VNode {
  const filters = useFilters()
  const opened = useSignal<AuditEntry | undefined>(undefined)
  const query = {
    username: filters.get('user'),
    jobName: filters.get('job'),
    outcome: outcomes.find((each) => each === filters.get('outcome')),
    from: numberIn(filters.get('from')),
    to: numberIn(filters.get('to')),
  }
  const given = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  )
  const paged = usePaged<AuditEntry, number>(JSON.stringify(given), (before) =>
    call('listAudit', { query: { ...given, ...(before === undefined ? {} : { before }) } }),
  )
  return (
    <section class="card" aria-label={t('nav.audit')}>
      <div class="filter-fields">
        <TextField
          label={t('audit.user')}
          value={filters.get('user')}
          onInput={(user) => filters.set({ user })}
        />
        <TextField
          label={t('filter.job')}
          value={filters.get('job')}
          onInput={(job) => filters.set({ job })}
        />
        <SelectField
          label={t('run.outcome')}
          value={filters.get('outcome')}
          options={[
            { value: '', title: t('filter.any') },
            ...outcomes.map((value) => ({ value, title: t(`audit.${value}`) })),
          ]}
          onChange={(outcome) => filters.set({ outcome })}
        />
        <WindowFilter filters={filters} />
      </div>
      {paged.error !== undefined && <Trouble error={paged.error} onRetry={paged.reload} />}
      {paged.rows.length > 0 && (
        <DataTable
          label={t('nav.audit')}
          columns={columns((entry) => (opened.value = entry))}
          rows={paged.rows}
          keyOf={({ id }) => String(id)}
        />
      )}
      <More paged={paged} />
      {opened.value !== undefined && (
        <EntryDialog entry={opened.value} onClose={() => (opened.value = undefined)} />
      )}
    </section>
  )
}

const longestMessage = 100

/** The name of the endpoint as text, if there is a text for it. */
function actionText(action: string): string {
  const key = `audited.${action}`
  return isKey(key) ? t(key) : printable(action)
}

/** The English message already contains the code. */
function outcomeText(entry: AuditEntry): string {
  const words = errorText(entry)
  return entry.code === undefined || words === entry.message ? words : `${entry.code}: ${words}`
}

function columns(open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  return [
    { key: 'time', title: t('status.time'), cell: ({ time }) => <Moment at={time} /> },
    {
      key: 'user',
      title: t('audit.user'),
      cell: ({ username }) => printable(username),
    },
    { key: 'action', title: t('audit.action'), cell: ({ action }) => actionText(action) },
    {
      key: 'target',
      title: t('audit.target'),
      class: 'middle',
      cell: ({ jobName, server, shard }) => (
        <>
          {jobName !== undefined && <a href={toJob(jobName)}>{printable(jobName)}</a>}
          {server !== undefined && ` ${printable(server)}`}
          {shard !== undefined && ` · ${shard}`}
        </>
      ),
    },
    {
      key: 'outcome',
      title: t('run.outcome'),
      cell: ({ outcome }) => <Badge tone={tones[outcome]}>{t(`audit.${outcome}`)}</Badge>,
    },
    {
      key: 'message',
      title: t('status.message'),
      class: 'wide cause',
      cell: (entry) => (
        <span class="cut hostile">{shortened(printable(outcomeText(entry)), longestMessage)}</span>
      ),
    },
    {
      key: 'open',
      title: t('table.actions'),
      class: 'actions',
      cell: (entry) => (
        <Button
          kind="quiet"
          icon="right"
          label={t('audit.open', { id: entry.id })}
          onClick={() => open(entry)}
        />
      ),
    },
  ]
}

function EntryDialog(props: { readonly entry: AuditEntry; readonly onClose: () => void }): VNode {
  const { entry, onClose } = props
  return (
    <Dialog wide title={actionText(entry.action)} onClose={onClose}>
      <dl class="pairs in-columns">
        <Pair title={t('status.time')} value={<Moment at={entry.time} />} />
        <Pair title={t('audit.user')} value={`${printable(entry.username)} (${entry.role})`} />
        <Pair title={t('audit.from')} value={printable(entry.address)} />
        <Pair title={t('audit.registry')} value={entry.registry && printable(entry.registry)} />
        <Pair title={t('filter.job')} value={entry.jobName && printable(entry.jobName)} />
        <Pair title={t('run.outcome')} value={t(`audit.${entry.outcome}`)} />
      </dl>
      {entry.message !== '' && <p class="hostile">{printable(outcomeText(entry))}</p>}
      {entry.input !== undefined && (
        <pre class="code" tabIndex={0} aria-label={t('audit.input')}>
          {printable(JSON.stringify(entry.input))}
        </pre>
      )}
      {(entry.before !== undefined || entry.after !== undefined) && (
        <Difference lines={lineDiff(entry.before ?? '', entry.after ?? '')} />
      )}
    </Dialog>
  )
}
