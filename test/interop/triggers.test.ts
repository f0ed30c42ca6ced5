import type { JobOptions } from '@elasticjob/core'
import type { Crew } from './crew.ts'
import { besideJava, expect, it } from './support.ts'

/** It does not come in the time of a test. */
const never = '0 0 0 1 1 ? 2099'

/** Resolves when every shard has run once more than before; gives the kinds that ran them. */
async function untilManualRun(
  crew: Crew,
  job: JobOptions,
  rounds: number,
): Promise<readonly string[]> {
  const runs = await crew.journal.until(`round ${rounds} of ${job.jobName}`, () => {
    const ended = crew.journal.runsOf(job.jobName).filter(({ end }) => end !== undefined)
    const times = [0, 1, 2, 3].map((shard) => ended.filter((run) => run.shard === shard).length)
    return times.every((count) => count >= rounds) && ended
  })
  return runs.map(({ kind }) => kind)
}

besideJava('what is triggered runs on both', () => {
  it(
    'by our operator and by that of Java, once each',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('triggered', { cron: never })
      const ourId = await ours.start(job)
      const javaId = await java.start(job)
      await crew.untilAssignedTo(job, ourId, javaId)
      await operations.trigger(job.jobName)
      expect((await untilManualRun(crew, job, 1)).toSorted()).toEqual([
        'java',
        'java',
        'ours',
        'ours',
      ])
      await java.operate('trigger', job)
      expect(await untilManualRun(crew, job, 2)).toHaveLength(8)
    },
  )

  it('a one-off job, whoever says so', { tags: ['short'] }, async ({ crew }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('one-off', { cron: undefined })
    const ourId = await ours.start(job, 'one-off')
    const javaId = await java.start(job, 'one-off')
    await crew.untilAssignedTo(job, ourId, javaId)
    await ours.execute(job)
    expect((await untilManualRun(crew, job, 1)).toSorted()).toEqual([
      'java',
      'java',
      'ours',
      'ours',
    ])
    await java.execute(job)
    expect(await untilManualRun(crew, job, 2)).toHaveLength(8)
  })
})
