/** Jobs: lists, details and operations. */
import { maskYaml } from '@elasticjob/core/internal'

import { diagnosis } from '../../contract/doctor.ts'
import type { JobDetail, ShardEntry } from '../../contract/jobs.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import type { Handlers } from '../http/handler.ts'
import type { NamespaceView } from '../live/namespace-view.ts'
import { manualRunOf } from '../live/describe.ts'
import { perform, registryOf, resultOf, seen, summaryOf } from './action.ts'
import { answerJobs } from './job-answer.ts'

type JobHandlers = Pick<
  Handlers,
  | 'countJobs'
  | 'listJobs'
  | 'showJob'
  | 'listShards'
  | 'triggerJob'
  | 'disableJob'
  | 'enableJob'
  | 'pauseJob'
  | 'resumeJob'
  | 'shutdownJob'
  | 'removeJob'
  | 'reshardJob'
  | 'repairJob'
  | 'disableShard'
  | 'enableShard'
  | 'stopRun'
  | 'showStatistics'
  | 'diagnoseJob'
  | 'diagnoseAll'
  | 'dumpJob'
>

export const jobHandlers: JobHandlers = {
  countJobs: async (ask) => (await registryOf(ask)).view.jobCount,

  listJobs: async (ask) => {
    const { view } = await registryOf(ask)
    return answerJobs(view, ask.query, ask.context)
  },

  showJob: async (ask) => requireJob((await registryOf(ask)).view, ask.params.job),

  listShards: async (ask) => {
    const { shards } = await requireJob((await registryOf(ask)).view, ask.params.job)
    return shards.map(shardEntryOf)
  },

  triggerJob: async (ask) => {
    const { operations, view } = await registryOf(ask)
    const result = await operations.trigger(ask.params.job, ask.body)
    ask.notes.messageParts = summaryOf(result)
    await seen(view)
    return { ...resultOf(result), manualRun: manualRunOf(result.manualRun) }
  },

  disableJob: (ask) => perform(ask, (operations) => operations.disable({ job: ask.params.job })),
  enableJob: (ask) => perform(ask, (operations) => operations.enable({ job: ask.params.job })),
  pauseJob: (ask) => perform(ask, (operations) => operations.pause({ job: ask.params.job })),
  resumeJob: (ask) => perform(ask, (operations) => operations.resume({ job: ask.params.job })),
  reshardJob: (ask) => perform(ask, (operations) => operations.reshard(ask.params.job)),

  repairJob: (ask) =>
    perform(ask, (operations) =>
      operations.repair(ask.params.job, { dryRun: ask.query.dryRun === 'true' }),
    ),

  shutdownJob: (ask) =>
    perform(ask, (operations) =>
      operations.shutdown({ job: ask.params.job }, { wait: ask.query.wait }),
    ),

  removeJob: (ask) =>
    perform(ask, async (operations) => {
      const { job } = ask.params
      // The configuration cannot be read, so there is none to store.
      const stored = await operations.configuration(job).catch(() => undefined)
      ask.notes.before = stored && maskYaml(stored.text)
      return operations.remove(
        { job },
        { wait: ask.query.wait, signal: ask.context.req.raw.signal },
      )
    }),

  disableShard: (ask) =>
    perform(ask, (operations) => operations.disableShard(ask.params.job, ask.params.shard)),
  enableShard: (ask) =>
    perform(ask, (operations) => operations.enableShard(ask.params.job, ask.params.shard)),
  stopRun: (ask) =>
    perform(ask, (operations) => operations.stopRun(ask.params.job, ask.params.shard)),

  showStatistics: async (ask) => {
    const { operations } = await registryOf(ask)
    const counted = await operations.statistics(ask.params.job)
    return counted.map(({ interval, total, ...rest }) => ({
      ...rest,
      interval: { ...interval, from: interval.from.getTime(), until: interval.until.getTime() },
      total: { ...total, since: total.since.getTime() },
    }))
  },

  diagnoseJob: async (ask) => {
    const { operations } = await registryOf(ask)
    return diagnosis.parse(await operations.diagnose(ask.params.job))
  },

  diagnoseAll: async (ask) => {
    const { operations } = await registryOf(ask)
    return diagnosis.array().parse(await operations.diagnoseAll())
  },

  dumpJob: async (ask) => (await registryOf(ask)).operations.dump(ask.params.job),
}

/** From the view, if it has the job; a job that was just created may not be in it yet. */
async function requireJob(view: NamespaceView, jobName: string): Promise<JobDetail> {
  const job = await view.job(jobName)
  if (job !== undefined) return job
  throw new ConsoleError('CONSOLE_NOT_FOUND', message('job-unknown', { jobName }))
}

/** The form of 2.x: `instanceId` is the process only. */
function shardEntryOf({
  shard,
  owner = '',
  status,
  failover,
}: JobDetail['shards'][number]): ShardEntry {
  const [serverIp = '', instanceId = ''] = owner.split('@-@')
  return { item: shard, serverIp, instanceId, status, failover: failover !== undefined }
}
