import { connect, never, noOp } from '../fire/connect.ts'
import { type Contender, jobNames, type Open, type Period } from './contender.ts'
import { elasticJob } from './settings.ts'

const crons: Readonly<Record<Period, string>> = { second: '* * * * * ?', minute: '0 * * * * ?' }

export const open: Open = async (servers, pace): Promise<Contender> => {
  const jobs = await connect(servers, 'bench', elasticJob.crash[pace])
  return {
    async every(period, count, fired) {
      const body = async ({ jobName, fireTime }: { jobName: string; fireTime: Date }) =>
        fired(jobName, fireTime.getTime())
      await Promise.all(
        jobNames(count).map((jobName) =>
          jobs.schedule({ jobName, cron: crons[period], shardingTotalCount: 1 }, body),
        ),
      )
    },
    async hold(count) {
      await Promise.all(
        jobNames(count).map((jobName) =>
          jobs.schedule({ jobName, cron: never, shardingTotalCount: 1 }, noOp),
        ),
      )
    },
    async join(jobName, body) {
      const job = await jobs.schedule({ jobName, shardingTotalCount: 1, failover: true }, body)
      return () => job.trigger()
    },
  }
}
