import { shardsOf, type Kind } from './run.ts'
import { besideJava, expect, it } from './support.ts'

besideJava('a run that lasts longer than its period', () => {
  for (const slow of ['java', 'ours'] as const satisfies readonly Kind[]) {
    it(
      `${slow} is slow: it makes up for what it missed, and the other goes on`,
      { tags: slow === 'ours' ? ['short'] : [] },
      async ({ crew }) => {
        const quick = slow === 'java' ? 'ours' : 'java'
        const [lasting, other] = await crew.take(`${slow} 1`, `${quick} 1`)
        const job = crew.job(`${slow}-is-slow`)
        const id = await lasting.start(job)
        await crew.untilAssignedTo(job, id, await other.start(job))
        await lasting.hold(job)
        const hanging = await crew.untilHangs(job, id, 2)
        const since = Math.max(...hanging.map(({ fire }) => fire))
        await crew.journal.until('two times that the slow one misses', () => {
          const runs = crew.journal.runsOf(job.jobName)
          return runs.filter(({ kind, fire }) => kind === quick && fire > since).length >= 4
        })
        await lasting.release(job)
        const made = await crew.journal.until('what was missed is made up for', () => {
          const more = crew.journal
            .runsOf(job.jobName)
            .filter(
              ({ instance, source, fire }) =>
                instance === id && source === 'misfire' && fire > since,
            )
          return more.length === 2 && more
        })
        expect(shardsOf(made)).toEqual(shardsOf(hanging))
        await crew.untilRuns(job)
      },
    )
  }
})
