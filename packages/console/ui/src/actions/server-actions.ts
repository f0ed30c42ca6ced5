/** The actions on a server in all its jobs, and on one job on one server. */
import type { ServerEntry, ServerJob } from '../../../src/contract/servers.ts'
import { call } from '../api/call.ts'
import { t } from '../i18n/i18n.ts'
import { printable } from '../text/printable.ts'
import { type Action, reasonFor } from './action.ts'

export function serverActions(server: ServerEntry): readonly Action[] {
  const params = { server: server.serverIp }
  const values = {
    server: printable(server.serverIp),
    jobs: server.jobsNum,
    instances: server.instancesNum,
    running: server.runningNum,
  }
  const gone = server.instancesNum === 0 ? t('reason.noInstanceOnServer') : undefined
  const runs = server.runningNum > 0 ? [t('will.runsEnd', { n: server.runningNum })] : []
  return [
    {
      id: 'pause',
      title: t('action.pause'),
      icon: 'pause',
      reason: reasonFor(
        server.pausedJobsNum === server.jobsNum ? t('reason.alreadyPaused') : undefined,
      ),
      consequences: [t('will.server.pause', values)],
      perform: () => call('pauseServer', { params }),
    },
    {
      id: 'resume',
      title: t('action.resume'),
      icon: 'resume',
      reason: reasonFor(server.pausedJobsNum === 0 ? t('reason.notPaused') : undefined),
      consequences: [t('will.server.resume', values)],
      perform: () => call('resumeServer', { params }),
    },
    {
      id: 'disable',
      title: t('action.disable'),
      icon: 'disable',
      reason: reasonFor(
        server.disabledJobsNum === server.jobsNum ? t('reason.alreadyDisabled') : undefined,
      ),
      consequences: [t('will.server.disable', values), ...runs],
      perform: () => call('disableServer', { params }),
    },
    {
      id: 'enable',
      title: t('action.enable'),
      icon: 'enable',
      reason: reasonFor(server.disabledJobsNum === 0 ? t('reason.notDisabled') : undefined),
      consequences: [t('will.server.enable', values)],
      perform: () => call('enableServer', { params }),
    },
    {
      id: 'shutdown',
      title: t('action.shutdown'),
      icon: 'shutdown',
      danger: true,
      reason: reasonFor(gone),
      consequences: [t('will.server.shutdown', values), ...runs],
      perform: () => call('shutdownServer', { params }),
    },
    {
      id: 'remove',
      title: t('action.remove'),
      icon: 'remove',
      danger: true,
      reason: reasonFor(undefined),
      consequences: [t('will.server.remove', values), ...runs],
      typed: server.serverIp,
      perform: () => call('removeServer', { params, query: { wait: 10_000 } }),
    },
  ]
}

export function serverJobActions(server: string, job: ServerJob): readonly Action[] {
  const params = { server, job: job.jobName }
  const values = {
    server: printable(server),
    job: printable(job.jobName),
    instances: job.instanceCount,
    shards: job.shards.length,
  }
  const gone = job.instanceCount === 0 ? t('reason.noInstanceOnServer') : undefined
  return [
    job.paused
      ? {
          id: 'resume',
          title: t('action.resume'),
          icon: 'resume',
          reason: reasonFor(undefined),
          consequences: [t('will.serverJob.resume', values)],
          perform: () => call('resumeServerJob', { params }),
        }
      : {
          id: 'pause',
          title: t('action.pause'),
          icon: 'pause',
          reason: reasonFor(undefined),
          consequences: [t('will.serverJob.pause', values)],
          perform: () => call('pauseServerJob', { params }),
        },
    job.enabled
      ? {
          id: 'disable',
          title: t('action.disable'),
          icon: 'disable',
          reason: reasonFor(undefined),
          consequences: [t('will.serverJob.disable', values)],
          perform: () => call('disableServerJob', { params }),
        }
      : {
          id: 'enable',
          title: t('action.enable'),
          icon: 'enable',
          reason: reasonFor(undefined),
          consequences: [t('will.serverJob.enable', values)],
          perform: () => call('enableServerJob', { params }),
        },
    {
      id: 'shutdown',
      title: t('action.shutdown'),
      icon: 'shutdown',
      danger: true,
      reason: reasonFor(gone),
      consequences: [t('will.serverJob.shutdown', values)],
      perform: () => call('shutdownServerJob', { params }),
    },
    {
      id: 'remove',
      title: t('action.remove'),
      icon: 'remove',
      danger: true,
      reason: reasonFor(undefined),
      consequences: [t('will.serverJob.remove', values)],
      perform: () => call('removeServerJob', { params, query: { wait: 10_000 } }),
    },
  ]
}
