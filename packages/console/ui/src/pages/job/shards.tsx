/** The shard map, the selected shard, and the servers of the job. */
import type { VNode } from 'preact'

import type { JobDetail, JobServer, Shard } from '../../../../src/contract/jobs.ts'
import { shardActions } from '../../actions/shard-actions.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/conditions.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { ShardMap } from '../../components/shard-map.tsx'
import { t } from '../../i18n/i18n.ts'
import { messageText } from '../../i18n/message-text.ts'
import { toRun, toServer } from '../../state/links.ts'
import { numberIn, useFilters } from '../../state/page.ts'
import { shardTone } from '../../state/tones.ts'
import { instanceName, printable } from '../../text/printable.ts'
import { now } from '../../time/clock.ts'
import { span } from '../../time/moments.ts'
import { serverJobColumns } from '../server-job-columns.tsx'

export function ShardsTab({ job }: { readonly job: JobDetail }): VNode {
  const filters = useFilters()
  const chosen = numberIn(filters.get('shard'))
  const shard = job.shards.find(({ shard: shardingItem }) => shardingItem === chosen)
  return (
    <div class="stack">
      <section class="card" aria-labelledby="map-title">
        <header class="card-head">
          <h2 id="map-title">{t('shard.map')}</h2>
          <Legend />
          {job.resharding !== undefined && (
            <Badge tone="warn">
              {t(job.resharding === 'requested' ? 'shard.reshardAsked' : 'shard.resharding')}
            </Badge>
          )}
          <Rounds job={job} />
        </header>
        {job.shards.length === 0 && job.instances.length === 0 ? (
          <Empty icon="servers" title={t('shard.nobodyThere')}>
            <p>{t('shard.nobodyThere.text')}</p>
          </Empty>
        ) : (
          <div class={shard === undefined ? '' : 'with-panel'}>
            <ShardMap
              job={job}
              chosen={chosen}
              onChoose={(shardingItem) =>
                filters.set({ shard: shardingItem === chosen ? '' : String(shardingItem) })
              }
            />
            {shard !== undefined && (
              <ShardPanel job={job} shard={shard} onClose={() => filters.set({ shard: '' })} />
            )}
          </div>
        )}
      </section>
      {job.servers.length > 0 && (
        <section class="card" aria-labelledby="servers-title">
          <header class="card-head">
            <h2 id="servers-title">{t('job.servers')}</h2>
          </header>
          <DataTable
            label={t('job.servers')}
            columns={serverColumns(job)}
            rows={job.servers}
            keyOf={({ server }) => server}
          />
        </section>
      )}
    </div>
  )
}

function Legend(): VNode {
  return (
    <ul class="legend">
      {(['pending', 'running', 'taken-over', 'disabled', 'owner-away'] as const).map((state) => (
        <li key={state}>
          <i class={`swatch ${shardTone(state)} ${state === 'taken-over' ? 'failover' : ''}`} />
          {t(`shard.${state}`)}
        </li>
      ))}
    </ul>
  )
}

function Rounds({ job: { manualRuns } }: { readonly job: JobDetail }): VNode | null {
  const { running, pending } = manualRuns
  if (running === undefined && pending === undefined) return null
  return (
    <span class="small soft">
      {running !== undefined && t('manualRun.running', { id: running.id })}
      {pending !== undefined && ` ${t('manualRun.pending', { id: pending.id })}`}
    </span>
  )
}

function ShardPanel(props: {
  readonly job: JobDetail
  readonly shard: Shard
  readonly onClose: () => void
}): VNode {
  const { job, shard, onClose } = props
  const { run } = shard
  return (
    <aside class="panel" aria-label={t('shard.shard', { shard: shard.shard })}>
      <header>
        <h3>{t('shard.shard', { shard: shard.shard })}</h3>
        <Badge tone={shardTone(shard.state)}>{t(`shard.${shard.state}`)}</Badge>
        <Button kind="quiet" icon="close" label={t('action.close')} onClick={onClose} />
      </header>
      {shard.obstacle !== undefined && (
        <p class="notice warn hostile">
          {printable(messageText(shard.obstacleParts, shard.obstacle))}
        </p>
      )}
      <dl class="pairs">
        <Pair title={t('shard.parameter')} value={shard.parameter && printable(shard.parameter)} />
        <Pair title={t('shard.owner')} value={shard.owner && instanceName(shard.owner)} />
        <Pair title={t('shard.movesTo')} value={shard.movesTo && instanceName(shard.movesTo)} />
        <Pair title={t('shard.failover')} value={shard.failover && instanceName(shard.failover)} />
        {shard.nextFireTime !== undefined && (
          <Pair
            title={t('jobs.next')}
            value={<Moment at={shard.nextFireTime} zone={job.timeZone} away />}
          />
        )}
      </dl>
      {run !== undefined && (
        <>
          <h4>{t(run.end === undefined ? 'shard.presentRun' : 'shard.lastRun')}</h4>
          <dl class="pairs">
            <Pair title={t('run.began')} value={<Moment at={run.begin} zone={job.timeZone} />} />
            <Pair title={t('run.took')} value={span((run.end ?? now.value) - run.begin)} />
            <Pair title={t('run.source')} value={run.source && t(`source.${run.source}`)} />
            <Pair title={t('run.outcome')} value={run.outcome && outcomeLabel(run.outcome)} />
            <Pair title={t('run.attempt')} value={run.attempt > 1 ? run.attempt : undefined} />
            <Pair title={t('run.instance')} value={instanceName(run.instance)} />
          </dl>
          {run.error !== undefined && <p class="notice bad hostile">{printable(run.error)}</p>}
          <p>
            <a href={toRun(run.runId)}>{t('run.open')}</a>
          </p>
        </>
      )}
      <div class="panel-actions">
        {shardActions(job, shard).map((action) => (
          <ActionButton
            key={action.id}
            action={action}
            about={`${job.jobName} · ${t('shard.shard', { shard: shard.shard })}`}
          />
        ))}
      </div>
    </aside>
  )
}

function outcomeLabel(outcome: string): string {
  switch (outcome) {
    case 'success':
    case 'failure':
    case 'timeout':
    case 'aborted':
    case 'stopped':
    case 'not-started':
    case 'lost':
    case 'running':
      return t(`outcome.${outcome}`)
    default:
      return printable(outcome)
  }
}

export function Pair(props: {
  readonly title: string
  readonly value: VNode | string | number | undefined
}): VNode | null {
  if (props.value === undefined || props.value === '') return null
  return (
    <div>
      <dt>{props.title}</dt>
      <dd class="hostile">{props.value}</dd>
    </div>
  )
}

function serverColumns(job: JobDetail): readonly Column<JobServer>[] {
  return [
    {
      key: 'server',
      title: t('server.address'),
      class: 'main',
      cell: ({ server }) => <a href={toServer(server)}>{printable(server)}</a>,
    },
    ...serverJobColumns<JobServer>((server) => ({
      server: server.server,
      job: { ...server, jobName: job.jobName, instanceCount: server.instances.length },
    })),
  ]
}
