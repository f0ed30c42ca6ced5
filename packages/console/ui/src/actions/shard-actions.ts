/** The actions on one shard of a job. */
import type { JobDetail, Shard } from '../../../src/contract/jobs.ts'
import { call } from '../api/call.ts'
import { t } from '../i18n/i18n.ts'
import { instanceName } from '../text/printable.ts'
import { type Action, reasonFor } from './action.ts'
import { obstacle } from './job-actions.ts'

export function shardActions(job: JobDetail, shard: Shard): readonly Action[] {
  const { shard: shardingItem } = shard
  const params = { job: job.jobName, shard: shardingItem }
  const isRunning = shard.run !== undefined && shard.run.end === undefined && isUnderWay(shard)
  const values = {
    shard: shardingItem,
    owner: shard.owner === undefined ? '' : instanceName(shard.owner),
  }
  return [
    {
      id: 'trigger-item',
      title: t('action.triggerShard'),
      icon: 'play',
      reason: reasonFor(
        obstacle('trigger', job) ?? (shard.disabled ? t('reason.shardDisabled') : undefined),
      ),
      consequences: [t('will.triggerShard', values)],
      perform: () =>
        call('triggerJob', { params: { job: job.jobName }, body: { shards: [shardingItem] } }),
    },
    {
      id: 'stop-run',
      title: t('action.stopRun'),
      icon: 'stop',
      danger: true,
      reason: reasonFor(
        shard.state === 'stopping'
          ? t('reason.alreadyStopping')
          : isRunning
            ? isJavas(job, shard)
              ? t('reason.javaStop')
              : undefined
            : t('reason.notRunning'),
      ),
      consequences: [t('will.stopRun', values)],
      perform: () => call('stopRun', { params }),
    },
    shard.disabled
      ? {
          id: 'enable-shard',
          title: t('action.enableShard'),
          icon: 'enable',
          reason: reasonFor(undefined),
          consequences: [t('will.enableShard', values)],
          perform: () => call('enableShard', { params }),
        }
      : {
          id: 'disable-shard',
          title: t('action.disableShard'),
          icon: 'disable',
          reason: reasonFor(job.removing ? t('reason.removing') : undefined),
          consequences: [
            t('will.disableShard', values),
            ...(isRunning ? [t('will.runsEnd', { n: 1 })] : []),
          ],
          perform: () => call('disableShard', { params }),
        },
  ]
}

function isUnderWay({ state }: Shard): boolean {
  return state === 'running' || state === 'taken-over' || state === 'stopping'
}

function isJavas({ instances }: JobDetail, { run }: Shard): boolean {
  return instances.find(({ instance }) => instance === run?.instance)?.java === true
}
