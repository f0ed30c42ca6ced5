import { namespace } from './crew.ts'
import { oldJob, OldWorker } from './old-worker.ts'
import { besideJava, expect, it } from './support.ts'

const cron = '0/2 * * * * ?'

besideJava('a job of Elastic-Job 2.1.5', () => {
  it(
    'is joined when no instance of 2.x is left, and by none of 2.x once it is imported',
    { tags: ['short'] },
    async ({ crew, operations, onTestFinished }) => {
      const [ours] = await crew.take('ours 1')
      const job = crew.job('of-2x', { cron, jobClass: oldJob })
      const spawn = async (ip: string): Promise<OldWorker> => {
        const options = { servers: crew.servers, namespace, sessionTimeout: 40_000, ip }
        const worker = await OldWorker.spawn(options)
        onTestFinished(() => worker.close())
        return worker
      }
      const old = await spawn('10.0.1.21')
      const id = await old.start(job.jobName, cron, job.shardingTotalCount)
      await old.runs(job.jobName)
      expect(await crew.read(job, 'instances', id)).toBe('')

      const refusal = `JOB_CONFLICT: job ${job.jobName} is run by Elastic-Job 1.x or 2.x on ${id}`
      await expect(ours.start(job)).rejects.toThrow(refusal)
      await expect(ours.start({ ...job, overwrite: true })).rejects.toThrow(refusal)
      await expect(operations.importConfiguration(job.jobName)).rejects.toThrow(id)
      expect(await crew.children(job, 'instances')).toEqual([id])

      await old.close()
      await expect(ours.start({ ...job, jobClass: 'com.example.Other' })).rejects.toThrow(
        'JOB_CONFLICT',
      )
      const ourId = await ours.start(job)
      await crew.untilAssignedTo(job, ourId)
      const runs = await crew.untilRuns(job)
      expect(runs.map(({ kind }) => kind)).toEqual(['ours', 'ours', 'ours', 'ours'])

      expect((await operations.importConfiguration(job.jobName)).written).toBe(true)
      const late = await spawn('10.0.1.22')
      await expect(late.start(job.jobName, cron, job.shardingTotalCount)).rejects.toThrow(
        'JsonSyntaxException',
      )
      expect(await crew.children(job, 'instances')).toEqual([ourId])
    },
  )
})
