/** The actions on one job. */
import type { JobDetail, JobEntry } from '../../../src/contract/jobs.ts'
import type { BulkAction } from '../../../src/contract/results.ts'
import { call } from '../api/call.ts'
import { t } from '../i18n/i18n.ts'
import { printable } from '../text/printable.ts'
import { type Action, reasonFor } from './action.ts'

export const jobActionIds: readonly BulkAction[] = [
  'trigger',
  'pause',
  'resume',
  'disable',
  'enable',
  'reshard',
  'shutdown',
  'remove',
]

export const jobActionIcons = {
  trigger: 'play',
  pause: 'pause',
  resume: 'resume',
  disable: 'disable',
  enable: 'enable',
  reshard: 'reshard',
  shutdown: 'shutdown',
  remove: 'remove',
} as const satisfies Record<BulkAction, string>

export function jobAction(id: BulkAction, job: JobEntry | JobDetail): Action {
  const params = { job: job.jobName }
  return {
    id,
    title: t(`action.${id}`),
    icon: jobActionIcons[id],
    danger: id === 'shutdown' || id === 'remove',
    reason: reasonFor(obstacle(id, job)),
    consequences: jobConsequences(id, job),
    ...(id === 'remove' ? { typed: job.jobName } : {}),
    perform: () => {
      switch (id) {
        case 'trigger':
          return call('triggerJob', { params, body: {} })
        case 'pause':
          return call('pauseJob', { params })
        case 'resume':
          return call('resumeJob', { params })
        case 'disable':
          return call('disableJob', { params })
        case 'enable':
          return call('enableJob', { params })
        case 'reshard':
          return call('reshardJob', { params })
        case 'shutdown':
          return call('shutdownJob', { params })
        case 'remove':
          return call('removeJob', { params, query: { wait: 10_000 } })
      }
    },
  }
}

/** Why an action would have no effect on this job, or is not possible. */
export function obstacle(id: BulkAction, job: JobEntry | JobDetail): string | undefined {
  if (job.removing && id !== 'remove') return t('reason.removing')
  const isEmpty = job.instanceCount === 0
  switch (id) {
    case 'trigger':
      if (isEmpty) return t('reason.noInstance')
      return job.status === 'DISABLED' ? t('reason.allDisabled') : undefined
    case 'pause':
      if (job.kind === 'java') return t('reason.javaPause')
      return job.paused ? t('reason.alreadyPaused') : undefined
    case 'resume':
      return job.paused || job.pausedServers.length > 0 ? undefined : t('reason.notPaused')
    case 'disable':
      if (job.serverCount === 0) return t('reason.noServer')
      return allDisabled(job) ? t('reason.alreadyDisabled') : undefined
    case 'enable':
      return anyDisabled(job) ? undefined : t('reason.notDisabled')
    case 'reshard':
      return isEmpty ? t('reason.noInstance') : undefined
    case 'shutdown':
      return isEmpty ? t('reason.noInstance') : undefined
    case 'remove':
      return undefined
  }
}

function allDisabled(job: JobEntry | JobDetail): boolean {
  return 'servers' in job ? job.servers.every(({ enabled }) => !enabled) : job.status === 'DISABLED'
}

/** A list has less data than the page of a job: a disabled server that is gone may be missing. */
function anyDisabled(job: JobEntry | JobDetail): boolean {
  if ('servers' in job) return job.servers.some(({ enabled }) => !enabled)
  return job.status !== 'OK' || job.legacyStatus !== 'OK'
}

/** The effect of an action, with the number of instances, servers and shards. */
export function jobConsequences(id: BulkAction, job: JobEntry | JobDetail): string[] {
  const values = {
    job: printable(job.jobName),
    instances: job.instanceCount,
    servers: job.serverCount,
    shards: job.shardingTotalCount - job.disabledShardCount,
    running: job.runningCount,
  }
  const messages = [t(`will.${id}`, values)]
  if (id === 'trigger' && job.disabledShardCount > 0) {
    messages.push(t('will.trigger.disabled', { n: job.disabledShardCount }))
  }
  if (id === 'trigger' && job.runningCount > 0) {
    messages.push(t('will.trigger.running', { n: job.runningCount }))
  }
  if (id === 'pause' && job.kind === 'mixed') messages.push(t('will.pause.mixed'))
  if ((id === 'disable' || id === 'shutdown' || id === 'remove') && job.runningCount > 0) {
    messages.push(t('will.runsEnd', { n: job.runningCount }))
  }
  return messages
}
