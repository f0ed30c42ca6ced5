/** How often, how long, how late: over time. */
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'

import type { Figures } from '../../../../src/contract/history.ts'
import { call } from '../../api/call.ts'
import { Chart, type Series } from '../../components/chart.tsx'
import { Empty, Loading } from '../../components/conditions.tsx'
import { SelectField } from '../../components/field.tsx'
import { language, t } from '../../i18n/i18n.ts'
import { useFilters } from '../../state/page.ts'
import { dataSourceName, registryName } from '../../state/places.ts'
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

export function FiguresPage(): VNode {
  const filters = useFilters()
  const job = filters.get('job')
  return (
    <div class="stack">
      <div class="filter-fields">
        <JobFilter filters={filters} />
      </div>
      {job === '' ? (
        <Empty icon="figures" title={t('figures.choose')} />
      ) : (
        <FiguresView jobName={job} />
      )}
    </div>
  )
}

export function FiguresView({ jobName }: { readonly jobName: string }): VNode {
  const filters = useFilters()
  const chosen = windowNames.find((each) => each === filters.get('window')) ?? 'hour'
  const { length, step } = windows[chosen]
  const key = JSON.stringify([jobName, chosen, registryName.value, dataSourceName.value])
  const { data, error, reload } = useResource(key, (signal) => {
    const to = currentTime()
    const from = to - length
    return call('showFigures', { query: { jobName, from, to, step }, signal }).then((figures) => ({
      figures,
      from,
      to,
    }))
  })
  return (
    <section class="card" aria-labelledby="figures-title">
      <header class="card-head">
        <h2 id="figures-title">{t('history.figures')}</h2>
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
        (data.figures.total.runs === 0 ? (
          <Empty icon="figures" title={t('figures.none')} />
        ) : (
          <Drawn {...data} />
        ))}
    </section>
  )
}

function Drawn(props: {
  readonly figures: Figures
  readonly from: number
  readonly to: number
}): VNode {
  const { figures, from, to } = props
  const { total, buckets } = figures
  const words = language.value
  const { times, runs, lengths } = useMemo(
    () => ({
      times: buckets.map(({ time }) => time),
      runs: [
        line(t('figures.runs'), '--info-fill', figures, (each) => each.runs, true),
        line(t('figures.failures'), '--bad-fill', figures, (each) => each.failures, true),
      ],
      lengths: [
        line('p50', '--good-fill', figures, ({ duration }) => duration.p50),
        line('p95', '--warn-fill', figures, ({ duration }) => duration.p95),
        line('p99', '--bad-fill', figures, ({ duration }) => duration.p99),
      ],
    }),
    [figures, words],
  )
  return (
    <>
      <dl class="figures">
        <Number title={t('figures.runs')} value={String(total.runs)} />
        <Number
          title={t('figures.failures')}
          value={`${total.failures} (${((100 * total.failures) / total.runs).toFixed(1)} %)`}
          isBad={total.failures > 0}
        />
        <Number title={t('figures.typical')} value={spanOf(total.duration.p50)} />
        <Number title={t('figures.slow')} value={spanOf(total.duration.p99)} />
        <Number title={t('figures.late')} value={spanOf(total.lateness.p99)} />
      </dl>
      <div class="charts">
        <figure>
          <figcaption>{t('figures.runs')}</figcaption>
          <Chart
            label={t('figures.runsLabel', { n: total.runs, bad: total.failures })}
            times={times}
            from={from}
            to={to}
            series={runs}
            format={(value) => String(value)}
          />
        </figure>
        <figure>
          <figcaption>{t('figures.duration')}</figcaption>
          <Chart
            label={t('figures.durationLabel', {
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
  { buckets }: Figures,
  of: (bucket: Figures['buckets'][number]) => number | undefined,
  filled = false,
): Series {
  return { title, colour, filled, values: buckets.map((bucket) => of(bucket) ?? null) }
}

function spanOf(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : span(milliseconds)
}
