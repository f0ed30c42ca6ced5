import { besideJava, expect, it } from './support.ts'
import { everyFour, repeatedIn } from './run.ts'

besideJava('who joins a job of the other kind', () => {
  it('ours joins a job of Java, and both run their shards in the same second', async ({ crew }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('ours-joins')
    const javaId = await java.start(job)
    await crew.untilAssignedTo(job, javaId)
    const ourId = await ours.start(job)
    await crew.untilAssignedTo(job, javaId, ourId)
    const together = await crew.untilRuns(job)
    expect(together.map(({ kind }) => kind).toSorted()).toEqual(['java', 'java', 'ours', 'ours'])
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(crew.missing(job, everyFour)).toEqual([])
    expect(await crew.untilLeads(job, javaId)).toBe(javaId)
  })

  it(
    'Java joins a job of ours, and both run their shards in the same second',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('java-joins')
      const ourId = await ours.start(job)
      await crew.untilAssignedTo(job, ourId)
      const javaId = await java.start(job)
      await crew.untilAssignedTo(job, javaId, ourId)
      const together = await crew.untilRuns(job)
      expect(together.map(({ kind }) => kind).toSorted()).toEqual(['java', 'java', 'ours', 'ours'])
      const runs = crew.journal.runsOf(job.jobName)
      expect(repeatedIn(runs)).toEqual([])
      expect(crew.missing(job, everyFour)).toEqual([])
      expect(await crew.untilLeads(job, ourId)).toBe(ourId)
    },
  )

  it(
    'refuses a job whose name another class of Java has',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('conflict')
      await java.start(job)
      await expect(ours.start({ ...job, jobClass: 'shop.SyncOrders' })).rejects.toThrow(
        'JOB_CONFLICT',
      )
    },
  )

  it(
    'is refused by Java where the name belongs to another class',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('conflict')
      await ours.start(job)
      await expect(java.start(job, 'other')).rejects.toThrow('JobConfigurationException')
    },
  )
})
