/** The shard map: one box for each instance, one tile for each shard. */
import type { VNode } from 'preact'

import type { JobDetail, JobInstance, Shard } from '../../../src/contract/jobs.ts'
import { t } from '../i18n/i18n.ts'
import { shardTone } from '../state/tones.ts'
import { instanceName, printable } from '../text/printable.ts'
import { Badge } from './badge.tsx'
import { groupByOwner } from './group-by-owner.ts'
import { Icon } from './icon.tsx'

/** With more shards than this, parameters are shown in the title of the tile only. */
const roomForParameters = 48

export function ShardMap(props: {
  readonly job: JobDetail
  readonly chosen: number | undefined
  readonly onChoose: (shard: number) => void
}): VNode {
  const { job, chosen, onChoose } = props
  const isDense = job.shards.length > roomForParameters
  return (
    <div class={isDense ? 'shard-map dense' : 'shard-map'}>
      {groupByOwner(job).map(({ owner, instance, shards }) => (
        <section
          key={owner ?? ''}
          class={`shard-group${instance === undefined ? ' gone' : ''}`}
          aria-label={owner === undefined ? t('shard.nobody') : instanceName(owner)}
          data-instance={owner ?? ''}
        >
          <header>
            <h3 title={owner}>{owner === undefined ? t('shard.nobody') : instanceName(owner)}</h3>
            <Marks owner={owner} instance={instance} />
          </header>
          <ul class="tiles">
            {shards.map((shard) => (
              <li key={shard.shard}>
                <Tile
                  shard={shard}
                  isDense={isDense}
                  isChosen={shard.shard === chosen}
                  onChoose={() => onChoose(shard.shard)}
                />
              </li>
            ))}
            {shards.length === 0 && <li class="faint small">{t('shard.none')}</li>}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Marks(props: {
  readonly owner: string | undefined
  readonly instance: JobInstance | undefined
}): VNode | null {
  const { owner, instance } = props
  if (owner === undefined) return null
  if (instance === undefined) return <Badge tone="bad">{t('instance.gone')}</Badge>
  return (
    <span class="marks">
      {instance.leads && (
        <span class="mark" title={t('instance.leads.hint')}>
          <Icon name="leader" />
          {t('instance.leads')}
        </span>
      )}
      {instance.java && <span class="mark">Java</span>}
      {instance.label !== undefined && <span class="mark">{printable(instance.label)}</span>}
      {instance.leaving && <Badge tone="warn">{t('instance.leaving')}</Badge>}
    </span>
  )
}

function Tile(props: {
  readonly shard: Shard
  readonly isDense: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}): VNode {
  const { shard, isDense, isChosen, onChoose } = props
  const label = t(`shard.${shard.state}`)
  const parameter = shard.parameter === undefined ? '' : printable(shard.parameter)
  return (
    <button
      type="button"
      class={`tile ${shardTone(shard.state)} ${shard.state}${shard.failover === undefined ? '' : ' failover'}`}
      data-shard={shard.shard}
      aria-pressed={isChosen}
      title={`${shard.shard}${parameter === '' ? '' : ` = ${parameter}`} · ${label}`}
      onClick={onChoose}
    >
      <b>{shard.shard}</b>{' '}
      {!isDense && <span class="cut">{parameter === '' ? label : parameter}</span>}
      {(isDense || parameter !== '') && <span class="visually-hidden">: {label}</span>}
    </button>
  )
}
