import { eventually } from '../zookeeper/harness/eventually.ts'
import { shardsOf, repeatedIn, type Kind } from './run.ts'
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
        await crew.untilAssignedTo(job, leaderId)
        const followerId = await follower.start(job)
        await crew.untilAssignedTo(job, leaderId, followerId)
        const [dyingId, survivingId] =
          crashes === leads ? [leaderId, followerId] : [followerId, leaderId]

        await dying.hold(job)
        const hanging = await crew.untilHangs(job, dyingId, 2)
        await dying.kill()
        const left = shardsOf(hanging)
        const retaken = await crew.journal.until('what was left is run', () => {
          const runs = crew.journal
            .runsOf(job.jobName)
            .filter(
              ({ kind, source, shard }) =>
                kind === survives && source !== 'cron' && left.includes(shard),
            )
          return new Set(runs.map(({ shard }) => shard)).size === 2 && runs
        })
        if (survives === 'ours') {
          expect(retaken.map(({ source }) => source)).toEqual(['failover', 'failover'])
          expect(shardsOf(retaken)).toEqual(left)
        }
        expect(await crew.untilLeads(job, survivingId)).toBe(survivingId)
        await crew.untilAssignedTo(job, survivingId)
        await crew.untilRuns(job)
        expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
        await surviving.stop(job)
        await eventually(
          async () => {
            const shards = await crew.children(job, 'leader', 'failover', 'items')
            const marks = await Promise.all(
              [0, 1, 2, 3].map((shard) => crew.children(job, 'sharding', `${shard}`)),
            )
            const isClean = shards.length === 0 && marks.flat().every((mark) => mark === 'instance')
            return isClean || undefined
          },
          { what: 'no mark is left', timeoutMs: 30_000 },
        )
      },
    )
  }
})
