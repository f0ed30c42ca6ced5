import { repeatedIn } from './run.ts'
import { besideJava, expect, it } from './support.ts'

besideJava('a job that moves from Java to this package', () => {
  it('loses no run and repeats none while instance after instance is replaced', async ({
    crew,
  }) => {
    const java = await crew.take('java 1', 'java 2', 'java 3')
    const ours = await crew.take('ours 1', 'ours 2', 'ours 3')
    const job = crew.job('migration', {
      shardingTotalCount: 6,
      cron: '0/6 * * * * ?',
      failover: true,
    })
    const ids: string[] = []
    for (const peer of java) ids.push(await peer.start(job))
    await crew.untilAssignedTo(job, ...ids)
    await crew.untilRuns(job)

    for (const [index, peer] of ours.entries()) {
      ids.push(await peer.start(job))
      await crew.untilAssignedTo(job, ...ids)
      await crew.untilRuns(job)
      await java[index]?.stop(job)
      ids.shift()
      await crew.untilAssignedTo(job, ...ids)
      await crew.untilRuns(job)
    }

    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(crew.missing(job, { period: 6000, shards: 6 })).toEqual([])
    expect(runs.at(0)?.kind).toBe('java')
    expect(runs.at(-1)?.kind).toBe('ours')
  })

  it(
    'replaces Java instances in the middle of their runs, by the signal of a deployment',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, other, ours] = await crew.take('java 1', 'java 2', 'ours 1')
      const job = crew.job('deployment', { shardingTotalCount: 6, failover: true })
      const ids = [await java.start(job), await other.start(job), await ours.start(job)]
      await crew.untilAssignedTo(job, ...ids)
      for (const peer of [java, other]) {
        await crew.untilRuns(job)
        await peer.hold(job)
        const instance = ids.shift() as string
        await crew.untilHangs(job, instance, 6 / (ids.length + 1))
        const ended = peer.terminate()
        await peer.release(job)
        await ended
        await crew.untilAssignedTo(job, ...ids)
      }
      await crew.untilRuns(job)
      const runs = crew.journal.runsOf(job.jobName)
      expect(runs.filter(({ outcome }) => outcome === 'aborted')).toEqual([])
      expect(runs.filter(({ source }) => source === 'failover')).toEqual([])
      expect(repeatedIn(runs)).toEqual([])
    },
  )
})
