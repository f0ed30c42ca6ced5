/** The timeline of the runs of a job, by instance. */
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import type { Execution } from '../../../../src/contract/history.ts'
import type { JobDetail } from '../../../../src/contract/jobs.ts'
import { call } from '../../api/call.ts'
import { Empty, Loading } from '../../components/conditions.tsx'
import { SelectField } from '../../components/field.tsx'
import { Gantt } from '../../components/gantt.tsx'
import { t } from '../../i18n/i18n.ts'
import { route } from '../../state/address.ts'
import { toRun } from '../../state/links.ts'
import { numberIn, useFilters } from '../../state/page.ts'
import { useResource } from '../../state/resource.ts'
import { currentTime, now } from '../../time/clock.ts'
import { dateTime, span } from '../../time/moments.ts'
import { Trouble } from '../trouble.tsx'

const windows = [5, 15, 60, 360, 1440] as const
/** The refresh interval while the timeline is open. */
const every = 5000
const most = 2000

export function TimelineTab({ job }: { readonly job: JobDetail }): VNode {
  const filters = useFilters()
  const minutes = numberIn(filters.get('minutes')) ?? 15
  const { data, error, isLoading, reload } = useResource(`${job.jobName} ${minutes}`, (signal) => {
    const to = currentTime()
    const query = { from: to - minutes * 60_000, to: to + 1000, jobName: job.jobName, limit: most }
    return call('showTimeline', { query, signal }).then((timeline) => ({ ...timeline, to }))
  })
  const beat = Math.floor(now.value / every)
  useEffect(() => {
    // A new request would cancel the one in progress.
    if (!isLoading) reload()
  }, [beat])
  if (error !== undefined && data === undefined) return <Trouble error={error} onRetry={reload} />
  if (data === undefined) return <Loading />
  const runs = data.runs.map((run) => ({
    id: run.id,
    lane: run.details?.instance ?? run.ip,
    from: run.startTime,
    to: run.completeTime ?? data.to,
    outcome: run.outcome,
    title: titleOf(run),
  }))
  return (
    <section class="card" aria-labelledby="timeline-title">
      <header class="card-head">
        <h2 id="timeline-title">{t('timeline.title')}</h2>
        <span class="soft small">
          {t('timeline.count', { n: runs.length })}
          {data.isTruncated && ` · ${t('timeline.cut', { n: most })}`}
        </span>
        <SelectField
          label={t('timeline.window')}
          hideLabel
          value={String(minutes)}
          options={windows.map((each) => ({
            value: String(each),
            title: t('timeline.last', {
              span: each < 60 ? t('time.minutes', { n: each }) : t('time.hours', { n: each / 60 }),
            }),
          }))}
          onChange={(value) => filters.set({ minutes: value })}
        />
      </header>
      {runs.length === 0 ? (
        <Empty icon="history" title={t('timeline.none')} />
      ) : (
        <Gantt
          label={t('timeline.label', { n: runs.length })}
          runs={runs}
          from={data.to - minutes * 60_000}
          to={data.to}
          now={data.to}
          onChoose={(id) => route(toRun(id))}
        />
      )}
    </section>
  )
}

function titleOf({ shardingItem, startTime, duration, outcome, source }: Execution): string {
  return [
    t('shard.shard', { shard: shardingItem }),
    t(`outcome.${outcome}`),
    t(`source.${source}`),
    dateTime(startTime),
    ...(duration === undefined ? [] : [span(duration)]),
  ].join(' · ')
}
