import { eventually } from '../zookeeper/harness/eventually.ts'
import { itemsOf, repeatedIn, type Kind } from './run.ts'
import { besideJava, expect, it } from './support.ts'

interface Crash {
  readonly crashes: Kind
  readonly leads: Kind
  readonly tags: readonly string[]
}

besideJava('an instance that is killed while it runs', () => {
  for (const { crashes, leads, tags } of [
    { crashes: 'java', leads: 'java', tags: ['short'] },
    { crashes: 'ours', leads: 'ours', tags: ['short'] },
    { crashes: 'java', leads: 'ours', tags: [] },
    { crashes: 'ours', leads: 'java', tags: [] },
  ] as const satisfies readonly Crash[]) {
    it(
      `${crashes} dies, ${leads} leads: the other kind runs what it left, leads, and goes on`,
      { tags: [...tags] },
      async ({ crew }) => {
        const survives = crashes === 'java' ? 'ours' : 'java'
        const [dying, surviving] = await crew.take(`${crashes} mortal`, `${survives} 1`)
        const [leader, follower] = crashes === leads ? [dying, surviving] : [surviving, dying]
        const job = crew.job(`${crashes}-dies`, { failover: true })
        const leaderId = await leader.start(job)
        await crew.untilDealtTo(job, leaderId)
        const followerId = await follower.start(job)
        await crew.untilDealtTo(job, leaderId, followerId)
        const [dyingId, survivingId] =
          crashes === leads ? [leaderId, followerId] : [followerId, leaderId]

        await dying.hold(job)
        const hanging = await crew.untilHangs(job, dyingId, 2)
        await dying.kill()
        const left = itemsOf(hanging)
        const retaken = await crew.journal.until('what was left is run', () => {
          const runs = crew.journal
            .runsOf(job.jobName)
            .filter(
              ({ kind, source, item }) =>
                kind === survives && source !== 'cron' && left.includes(item),
            )
          return new Set(runs.map(({ item }) => item)).size === 2 && runs
        })
        if (survives === 'ours') {
          expect(retaken.map(({ source }) => source)).toEqual(['failover', 'failover'])
          expect(itemsOf(retaken)).toEqual(left)
        }
        expect(await crew.untilLeads(job, survivingId)).toBe(survivingId)
        await crew.untilDealtTo(job, survivingId)
        await crew.untilRuns(job)
        expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
        await surviving.stop(job)
        await eventually(
          async () => {
            const items = await crew.children(job, 'leader', 'failover', 'items')
            const marks = await Promise.all(
              [0, 1, 2, 3].map((item) => crew.children(job, 'sharding', `${item}`)),
            )
            const isClean = items.length === 0 && marks.flat().every((mark) => mark === 'instance')
            return isClean || undefined
          },
          { what: 'no mark is left', timeoutMs: 30_000 },
        )
      },
    )
  }
})
