/** Charts of the number, duration and lateness of runs. */
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'

import type { Statistics } from '../../../../src/contract/history.ts'
import { call } from '../../api/call.ts'
import { Chart, type Series } from '../../components/chart.tsx'
import { Empty, Loading } from '../../components/conditions.tsx'
import { SelectField } from '../../components/field.tsx'
import { language, t } from '../../i18n/i18n.ts'
import { useFilters } from '../../state/page.ts'
import { dataSourceName, registryName } from '../../tab/selection.ts'
import { useResource } from '../../state/resource.ts'
import { currentTime } from '../../time/clock.ts'
import { span } from '../../time/moments.ts'
import { Trouble } from '../trouble.tsx'
import { JobFilter } from './filters.tsx'

const windows = {
  hour: { length: 3_600_000, step: 'minute' },
  day: { length: 86_400_000, step: 'hour' },
  week: { length: 7 * 86_400_000, step: 'hour' },
  month: { length: 30 * 86_400_000, step: 'day' },
} as const

type WindowName = keyof typeof windows
const windowNames = Object.keys(windows) as WindowName[]

export function StatisticsPage(): VNode {
  const filters = useFilters()
  const job = filters.get('job')
  return (
    <div class="stack">
      <div class="filter-fields">
        <JobFilter filters={filters} />
      </div>
      {job === '' ? (
        <Empty icon="statistics" title={t('statistics.choose')} />
      ) : (
        <StatisticsView jobName={job} />
      )}
    </div>
  )
}

export function StatisticsView({ jobName }: { readonly jobName: string }): VNode {
  const filters = useFilters()
  const chosen = windowNames.find((each) => each === filters.get('window')) ?? 'hour'
  const { length, step } = windows[chosen]
  const key = JSON.stringify([jobName, chosen, registryName.value, dataSourceName.value])
  const { data, error, reload } = useResource(key, (signal) => {
    const to = currentTime()
    const from = to - length
    return call('showRunStatistics', { query: { jobName, from, to, step }, signal }).then(
      (statistics) => ({
        statistics,
        from,
        to,
      }),
    )
  })
  return (
    <section class="card" aria-labelledby="statistics-title">
      <header class="card-head">
        <h2 id="statistics-title">{t('history.statistics')}</h2>
        <SelectField
          label={t('timeline.window')}
          hideLabel
          value={chosen}
          options={windowNames.map((value) => ({ value, title: t(`window.${value}`) }))}
          onChange={(window) => filters.set({ window })}
        />
      </header>
      {error !== undefined && <Trouble error={error} onRetry={reload} />}
      {error === undefined && data === undefined && <Loading lines={4} />}
      {data !== undefined &&
        (data.statistics.total.runs === 0 ? (
          <Empty icon="statistics" title={t('statistics.none')} />
        ) : (
          <Drawn {...data} />
        ))}
    </section>
  )
}

function Drawn(props: {
  readonly statistics: Statistics
  readonly from: number
  readonly to: number
}): VNode {
  const { statistics, from, to } = props
  const { total, buckets } = statistics
  const words = language.value
  const { times, runs, lengths } = useMemo(
    () => ({
      times: buckets.map(({ time }) => time),
      runs: [
        line(t('statistics.runs'), '--info-fill', statistics, (each) => each.runs, true),
        line(t('statistics.failures'), '--bad-fill', statistics, (each) => each.failures, true),
      ],
      lengths: [
        line('p50', '--good-fill', statistics, ({ duration }) => duration.p50),
        line('p95', '--warn-fill', statistics, ({ duration }) => duration.p95),
        line('p99', '--bad-fill', statistics, ({ duration }) => duration.p99),
      ],
    }),
    [statistics, words],
  )
  return (
    <>
      <dl class="statistics">
        <Number title={t('statistics.runs')} value={String(total.runs)} />
        <Number
          title={t('statistics.failures')}
          value={`${total.failures} (${((100 * total.failures) / total.runs).toFixed(1)} %)`}
          isBad={total.failures > 0}
        />
        <Number title={t('statistics.typical')} value={spanOf(total.duration.p50)} />
        <Number title={t('statistics.slow')} value={spanOf(total.duration.p99)} />
        <Number title={t('statistics.late')} value={spanOf(total.lateness.p99)} />
      </dl>
      <div class="charts">
        <figure>
          <figcaption>{t('statistics.runs')}</figcaption>
          <Chart
            label={t('statistics.runsLabel', { n: total.runs, bad: total.failures })}
            times={times}
            from={from}
            to={to}
            series={runs}
            format={(value) => String(value)}
          />
        </figure>
        <figure>
          <figcaption>{t('statistics.duration')}</figcaption>
          <Chart
            label={t('statistics.durationLabel', {
              p50: spanOf(total.duration.p50),
              p99: spanOf(total.duration.p99),
            })}
            times={times}
            from={from}
            to={to}
            series={lengths}
            format={span}
          />
        </figure>
      </div>
    </>
  )
}

function Number(props: {
  readonly title: string
  readonly value: string
  readonly isBad?: boolean
}): VNode {
  return (
    <div>
      <dt>{props.title}</dt>
      <dd class={props.isBad === true ? 'numbers bad-ink' : 'numbers'}>{props.value}</dd>
    </div>
  )
}

function line(
  title: string,
  colour: string,
  { buckets }: Statistics,
  of: (bucket: Statistics['buckets'][number]) => number | undefined,
  filled = false,
): Series {
  return { title, colour, filled, values: buckets.map((bucket) => of(bucket) ?? null) }
}

function spanOf(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : span(milliseconds)
}
