import { everyFour, repeatedIn, type Kind } from './run.ts'
import { besideJava, expect, it } from './support.ts'

besideJava('shards are reassigned', () => {
  for (const leads of ['java', 'ours'] as const satisfies readonly Kind[]) {
    it(
      `${leads} leads: who joins, who leaves, more shards, fewer shards`,
      { tags: leads === 'ours' ? ['short'] : [] },
      async ({ crew, operations }) => {
        const follows = leads === 'java' ? 'ours' : 'java'
        const [leader, follower, third] = await crew.take(
          `${leads} 1`,
          `${follows} 1`,
          `${follows} 2`,
        )
        const job = crew.job(`${leads}-deals`)
        const leaderId = await leader.start(job)
        const followerId = await follower.start(job)
        const thirdId = await third.start(job)
        await crew.untilAssignedTo(job, leaderId, followerId, thirdId)
        await crew.untilRuns(job)

        await third.stop(job)
        await crew.untilAssignedTo(job, leaderId, followerId)
        await crew.untilRuns(job)

        await operations.updateConfiguration(job.jobName, { shardingTotalCount: 7 })
        expect(await crew.untilCount(job, 7)).toHaveLength(7)
        await crew.untilRuns(job, 7)

        await operations.updateConfiguration(job.jobName, { shardingTotalCount: 3 })
        expect(await crew.untilCount(job, 3)).toHaveLength(3)
        const last = await crew.untilRuns(job, 3)
        expect(new Set(last.map(({ kind }) => kind)).size).toBe(2)
        expect(await crew.untilLeads(job, leaderId)).toBe(leaderId)
        expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
        // Three shards were there all the time.
        expect(crew.missing(job, { period: 4000, shards: 3 })).toEqual([])
      },
    )
  }

  it(
    'who leads is elected again when the leader leaves, and stays when it comes back',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('election')
      const first = await java.start(job)
      const second = await ours.start(job)
      await crew.untilAssignedTo(job, first, second)
      await java.stop(job)
      await crew.untilLeads(job, second)
      await crew.untilAssignedTo(job, second)
      const third = await java.start(job)
      await crew.untilAssignedTo(job, third, second)
      await crew.untilRuns(job)
      expect(await crew.untilLeads(job, second)).toBe(second)
      await ours.stop(job)
      await crew.untilLeads(job, third)
      const fourth = await ours.start(job)
      await crew.untilAssignedTo(job, third, fourth)
      await crew.untilRuns(job)
      expect(await crew.untilLeads(job, third)).toBe(third)
      expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
      expect(crew.missing(job, everyFour)).toEqual([])
    },
  )

  it(
    'every strategy gives the same shards to the same instances, whoever leads',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours, other] = await crew.take('java 1', 'ours 1', 'ours 2')
      const resharded = async (strategy: string): Promise<void> => {
        const job = crew.job(strategy.toLowerCase(), {
          shardingTotalCount: 7,
          jobShardingStrategyType: strategy,
        })
        const javaId = await java.start(job)
        const ids = [await ours.start(job), await other.start(job)]
        const byJava = await crew.untilAssignedTo(job, javaId, ...ids)
        expect(await crew.untilLeads(job, javaId)).toBe(javaId)
        await operations.disable({ job: job.jobName, server: java.ip })
        await crew.untilLeads(job, ...ids)
        await crew.untilAssignedTo(job, ...ids)
        await operations.enable({ job: job.jobName, server: java.ip })
        const byUs = await crew.untilAssignedTo(job, javaId, ...ids)
        await crew.untilLeads(job, ...ids)
        expect(byUs).toEqual(byJava)
      }
      await Promise.all(['AVG_ALLOCATION', 'ODEVITY', 'ROUND_ROBIN'].map(resharded))
    },
  )
})
