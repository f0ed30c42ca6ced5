/** All jobs of the registry: state, next fire time and recent runs. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { JobEntry } from '../../../src/contract/jobs.ts'
import { jobAction } from '../actions/job-actions.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Empty, Loading } from '../components/conditions.tsx'
import { type Column, DataTable, type Selection } from '../components/data-table.tsx'
import { TextField } from '../components/field.tsx'
import { Moment } from '../components/moment.tsx'
import { RunStrip } from '../components/run-strip.tsx'
import { t } from '../i18n/i18n.ts'
import { messageText } from '../i18n/message-text.ts'
import { jobs, jobsLeft } from '../live/live.ts'
import { toJob, toRun } from '../state/links.ts'
import { type Filters, useFilters, useTitle, useTopics } from '../state/page.ts'
import { mayAct } from '../state/session.ts'
import { jobTone, outcomeTone } from '../state/tones.ts'
import { printable } from '../text/printable.ts'
import { BulkBar } from './bulk-bar.tsx'
import { chosenJobs, countByState, jobStates } from './jobs-order.ts'
import { PageHead } from './page-head.tsx'
import { readingText } from './reading-text.ts'

export function JobsPage(): VNode {
  useTitle(t('nav.jobs'))
  useTopics({ jobs: true })
  const filters = useFilters()
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const all = jobs.value
  if (all === undefined) return <NotYet />
  if (all.size === 0) return <NoJobs />
  const states = filters.get('state') === '' ? [] : filters.get('state').split(',')
  const sorting = {
    key: filters.get('sort') === '' ? 'jobName' : filters.get('sort'),
    order: filters.get('order') === 'desc' ? 'desc' : 'asc',
  } as const
  const rows = chosenJobs(all.values(), filters.get('search'), states, sorting)
  const picked = new Set(
    rows.map(({ jobName }) => jobName).filter((name) => chosen.value.has(name)),
  )
  return (
    <>
      <PageHead title={t('nav.jobs')} below={t('jobs.count', { n: all.size + jobsLeft.value })} />
      <JobFilters filters={filters} states={states} entries={all} />
      {picked.size > 0 && (
        <BulkBar
          jobs={rows.filter(({ jobName }) => picked.has(jobName))}
          onDone={() => (chosen.value = new Set())}
        />
      )}
      {rows.length === 0 && jobsLeft.value > 0 ? (
        <Loading lines={10} />
      ) : rows.length === 0 ? (
        <Empty icon="search" title={t('jobs.noMatch')}>
          <Button onClick={() => filters.set({ search: '', state: '' })}>
            {t('filter.clear')}
          </Button>
        </Empty>
      ) : (
        <DataTable
          label={t('nav.jobs')}
          columns={columns()}
          rows={rows}
          keyOf={({ jobName }) => jobName}
          sorting={sorting}
          onSort={({ key, order }) => filters.set({ sort: key, order })}
          selection={
            mayAct.value ? selectionOf(rows, picked, (names) => (chosen.value = names)) : undefined
          }
        />
      )}
    </>
  )
}

function NotYet(): VNode {
  return (
    <>
      <PageHead title={t('nav.jobs')} below={readingText()} />
      <Loading lines={10} />
    </>
  )
}

function NoJobs(): VNode {
  return (
    <>
      <PageHead title={t('nav.jobs')} />
      <Empty icon="jobs" title={t('jobs.none')}>
        <p>{t('jobs.none.text')}</p>
        <pre class="snippet">{`const jobs = await ElasticJob.connect({ servers, namespace })\nawait jobs.schedule({ jobName, cron, shardingTotalCount }, run)`}</pre>
      </Empty>
    </>
  )
}

function JobFilters(props: {
  readonly filters: Filters
  readonly states: readonly string[]
  readonly entries: ReadonlyMap<string, JobEntry>
}): VNode {
  const { filters, states, entries } = props
  const counts = countByState(entries.values())
  return (
    <div class="filters">
      <TextField
        label={t('jobs.search')}
        hideLabel
        type="search"
        placeholder={t('jobs.search')}
        value={filters.get('search')}
        onInput={(search) => filters.set({ search })}
      />
      <div class="chips" role="group" aria-label={t('jobs.filter')}>
        <button
          type="button"
          class="chip"
          aria-pressed={states.length === 0}
          onClick={() => filters.set({ state: '' })}
        >
          {t('filter.all')} <b>{entries.size}</b>
        </button>
        {jobStates
          .filter((state) => counts.has(state) || states.includes(state))
          .map((state) => (
            <button
              type="button"
              key={state}
              class={`chip ${jobTone(state)}`}
              aria-pressed={states.includes(state)}
              onClick={() =>
                filters.set({
                  state: (states.includes(state)
                    ? states.filter((each) => each !== state)
                    : [...states, state]
                  ).join(','),
                })
              }
            >
              <span class="dot" aria-hidden="true" />
              {t(`job.${state}`)} <b>{counts.get(state) ?? 0}</b>
            </button>
          ))}
      </div>
    </div>
  )
}

function columns(): readonly Column<JobEntry>[] {
  return [
    {
      key: 'jobName',
      title: t('jobs.name'),
      sortable: true,
      class: 'main',
      cell: ({ jobName, description }) => (
        <span class="job-cell">
          <a href={toJob(jobName)} class="cut job-name">
            {printable(jobName)}
          </a>
          {description !== '' && <span class="faint small cut">{printable(description)}</span>}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('jobs.state'),
      sortable: true,
      cell: (job) => (
        <Badge
          tone={jobTone(job.state)}
          title={job.problem && messageText(job.problemParts, job.problem)}
        >
          {t(`job.${job.state}`)}
        </Badge>
      ),
    },
    {
      key: 'nextFireTime',
      title: t('jobs.next'),
      sortable: true,
      class: 'middle',
      cell: ({ nextFireTime, timeZone, cron }) =>
        nextFireTime === undefined ? (
          <span class="faint">{cron === undefined ? t('jobs.whenTriggered') : '–'}</span>
        ) : (
          <Moment at={nextFireTime} zone={timeZone} away />
        ),
    },
    {
      key: 'last',
      title: t('jobs.last'),
      sortable: true,
      class: 'wide',
      cell: ({ last }) =>
        last === undefined ? (
          <span class="faint">–</span>
        ) : (
          <a href={toRun(last.runId)} class={`outcome ${outcomeTone(last.outcome)}`}>
            {t(`outcome.${last.outcome}`)}
          </a>
        ),
    },
    {
      key: 'recent',
      title: t('jobs.recent'),
      class: 'wide',
      cell: ({ recent }) => <RunStrip runs={recent} />,
    },
    {
      key: 'shardingTotalCount',
      title: t('jobs.shards'),
      sortable: true,
      class: 'number wide',
      cell: ({ shardingTotalCount, runningCount }) =>
        runningCount > 0 ? (
          <span title={t('jobs.running', { n: runningCount })}>
            <b class="info-ink">{runningCount}</b> / {shardingTotalCount}
          </span>
        ) : (
          shardingTotalCount
        ),
    },
    {
      key: 'instanceCount',
      title: t('jobs.instances'),
      sortable: true,
      class: 'number widest',
      cell: ({ instanceCount }) => instanceCount,
    },
    {
      key: 'actions',
      title: t('table.actions'),
      class: 'actions',
      cell: (job) => (
        <span class="row-actions">
          <ActionButton bare action={jobAction('trigger', job)} about={job.jobName} />
          <ActionButton
            bare
            action={jobAction(job.paused ? 'resume' : 'pause', job)}
            about={job.jobName}
          />
          <ActionButton
            bare
            action={jobAction(job.status === 'DISABLED' ? 'enable' : 'disable', job)}
            about={job.jobName}
          />
        </span>
      ),
    },
  ]
}

function selectionOf(
  rows: readonly JobEntry[],
  chosen: ReadonlySet<string>,
  choose: (names: ReadonlySet<string>) => void,
): Selection {
  return {
    chosen,
    nameOf: printable,
    onToggle: (name) => {
      const next = new Set(chosen)
      if (!next.delete(name)) next.add(name)
      choose(next)
    },
    onToggleAll: () =>
      choose(chosen.size === rows.length ? new Set() : new Set(rows.map(({ jobName }) => jobName))),
  }
}
