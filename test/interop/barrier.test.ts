import { byFire, type Kind } from './run.ts'
import { besideJava, expect, it } from './support.ts'

besideJava('a listener of whole rounds', () => {
  for (const leads of ['java', 'ours'] as const satisfies readonly Kind[]) {
    it(
      `${leads} leads: is called once for both kinds when a round has begun, and when it has ended`,
      { tags: leads === 'ours' ? ['short'] : [] },
      async ({ crew }) => {
        const [leader, follower] = await crew.take(
          `${leads} 1`,
          leads === 'java' ? 'ours 1' : 'java 1',
        )
        const job = crew.job('rounds', { jobListenerTypes: ['rounds'], cron: '0/6 * * * * ?' })
        const ids = [await leader.start(job), await follower.start(job)]
        await crew.untilAssignedTo(job, ...ids)
        await crew.untilRuns(job)
        const since = Date.now()
        await crew.untilRuns(job)
        await crew.untilRuns(job)
        const [first, second] = [
          ...byFire(crew.journal.runsOf(job.jobName).filter(({ fire }) => fire > since)).entries(),
        ]
        if (first === undefined || second === undefined) throw new Error('two rounds have run')
        const [fire, runs] = first
        const calls = crew.journal
          .roundsOf(job.jobName)
          .filter(({ at }) => at >= fire && at < second[0])
        expect(calls.map(({ phase }) => phase)).toEqual(['started', 'completed'])
        const [started, completed] = calls
        for (const { begin, end } of runs) {
          expect(begin).toBeGreaterThanOrEqual(started?.at ?? Number.NaN)
          expect(end).toBeLessThanOrEqual(completed?.at ?? Number.NaN)
        }
      },
    )
  }
})
