/** One run: its details, its other attempts, and its log while it is written. */
import type { VNode } from 'preact'

import type { Execution } from '../../../src/contract/history.ts'
import { Badge } from '../components/badge.tsx'
import { Empty, Loading } from '../components/conditions.tsx'
import { LogViewer } from '../components/log-viewer.tsx'
import { Moment } from '../components/moment.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { log, problems, run as followed } from '../live/live.ts'
import type { PageProps } from '../state/address.ts'
import { to, toJob, toRun } from '../state/links.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { outcomeTone } from '../state/tones.ts'
import { instanceName, printable, printableLines } from '../text/printable.ts'
import { now } from '../time/clock.ts'
import { span } from '../time/moments.ts'
import { Pair } from './job/shards.tsx'
import { PageHead } from './page-head.tsx'

export function RunPage({ params }: PageProps): VNode {
  const runId = params['id'] ?? ''
  useTitle(t('run.title'))
  useTopics({ run: runId })
  const known = followed.value
  const problem = problems.value['run'] ?? problems.value['log']
  if (problem !== undefined) {
    return (
      <Empty icon="database" title={t('history.noSource')}>
        <p class="hostile">{printable(errorText(problem))}</p>
        <p>
          <a href={to('/data-sources')}>{t('nav.dataSources')}</a>
        </p>
      </Empty>
    )
  }
  if (known?.runId !== runId) return <Loading />
  if (known.history === undefined) {
    return (
      <Empty icon="history" title={t('run.unknown')}>
        <p>{t('run.unknown.text')}</p>
      </Empty>
    )
  }
  const { execution, attempts } = known.history
  return (
    <>
      <PageHead
        above={<a href={toJob(execution.jobName)}>{printable(execution.jobName)}</a>}
        title={
          <>
            {t('shard.shard', { shard: execution.shardingItem })}{' '}
            <Badge tone={outcomeTone(execution.outcome)}>{t(`outcome.${execution.outcome}`)}</Badge>
          </>
        }
        below={<code>{printable(execution.id)}</code>}
      />
      <div class="stack">
        <Facts execution={execution} />
        {execution.failureCause !== undefined && execution.failureCause !== '' && (
          <section class="card" aria-labelledby="cause-title">
            <h2 id="cause-title">{t('run.cause')}</h2>
            <pre class="code bad" tabIndex={0} aria-label={t('run.cause')}>
              {printableLines(execution.failureCause)}
            </pre>
          </section>
        )}
        {attempts.length > 1 && <Attempts current={execution.id} attempts={attempts} />}
        <section class="card" aria-labelledby="log-title">
          <header class="card-head">
            <h2 id="log-title">{t('log.title')}</h2>
            {execution.outcome === 'running' && <Badge tone="info">{t('log.live')}</Badge>}
          </header>
          <LogViewer lines={log.value} live={execution.outcome === 'running'} />
        </section>
      </div>
    </>
  )
}

function Facts({ execution }: { readonly execution: Execution }): VNode {
  const { details } = execution
  return (
    <section class="card">
      <dl class="pairs in-columns">
        <Pair title={t('run.began')} value={<Moment at={execution.startTime} away />} />
        {execution.completeTime !== undefined && (
          <Pair title={t('run.ended')} value={<Moment at={execution.completeTime} />} />
        )}
        <Pair
          title={t('run.took')}
          value={span(
            execution.duration ?? (execution.completeTime ?? now.value) - execution.startTime,
          )}
        />
        <Pair title={t('run.source')} value={t(`source.${execution.source}`)} />
        <Pair title={t('filter.address')} value={printable(execution.ip)} />
        <Pair title={t('run.host')} value={printable(execution.hostname)} />
        {details !== undefined && (
          <>
            <Pair title={t('run.instance')} value={instanceName(details.instance)} />
            <Pair title={t('run.due')} value={<Moment at={details.fireTime} />} />
            <Pair
              title={t('run.late')}
              value={details.lateness === undefined ? undefined : span(details.lateness)}
            />
            <Pair title={t('run.attempt')} value={details.attempt} />
            <Pair
              title={t('run.retries')}
              value={details.retries > 0 ? details.retries : undefined}
            />
            <Pair title={t('run.manualRun')} value={details.manualRun} />
            <Pair title={t('run.token')} value={details.fencingToken} />
          </>
        )}
      </dl>
    </section>
  )
}

function Attempts(props: {
  readonly current: string
  readonly attempts: readonly Execution[]
}): VNode {
  return (
    <section class="card" aria-labelledby="attempts-title">
      <h2 id="attempts-title">{t('run.attempts')}</h2>
      <ol class="attempts">
        {props.attempts.map(({ id, outcome, startTime, details, ip }) => (
          <li key={id} aria-current={id === props.current ? 'true' : undefined}>
            <Badge tone={outcomeTone(outcome)}>{t(`outcome.${outcome}`)}</Badge>
            {id === props.current ? (
              <Moment at={startTime} />
            ) : (
              <a href={toRun(id)}>
                <Moment at={startTime} />
              </a>
            )}
            <span class="soft">
              {details === undefined ? printable(ip) : instanceName(details.instance)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
